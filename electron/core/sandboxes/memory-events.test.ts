import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakePodman, type FakePodman } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import { createOomWatch, readOomKills } from './memory-events.ts'

const id = 'a'.repeat(64)
const cgroup = `/user.slice/libpod-${id}.scope/container`
let root: string
let fake: FakePodman

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'paddock-cgroup-'))
  mkdirSync(join(root, cgroup), { recursive: true })
  const inspected = { Id: id, ImageName: 'x', OCIRuntime: 'crun', State: { Status: 'running', StartedAt: '', CgroupPath: cgroup }, Mounts: [], Config: {}, NetworkSettings: {} }
  fake = createFakePodman([{ on: '^container inspect', stdout: JSON.stringify([inspected]) }])
})
afterEach(() => {
  fake.remove()
  rmSync(root, { recursive: true })
})
const kill = (count: number) => writeFileSync(join(root, cgroup, 'memory.events'), `low 0\nhigh 0\nmax 44\noom ${count}\noom_kill ${count}\noom_group_kill 0\n`)

describe('the count of a control group', () => {
  it('is what the kernel ended, and not how often it had to think', async () => {
    kill(3)
    expect(await readOomKills(cgroup, root)).toBe(3)
  })

  it('is unknown where the kernel does not tell', async () => {
    expect(await readOomKills(cgroup, root)).toBeNull()
    expect(await readOomKills('/gone', root)).toBeNull()
  })
})

describe('the watch', () => {
  it('tells of each time once, and nothing of what was before', async () => {
    const watch = createOomWatch(fake.podman, root)
    kill(2)
    expect(await watch.look([id])).toEqual([])
    expect(await watch.look([id])).toEqual([])
    kill(3)
    expect(await watch.look([id])).toEqual([id])
    expect(await watch.look([id])).toEqual([])
    expect(fake.calls()).toHaveLength(1)
  })

  it('forgets a sandbox that is gone, and asks nothing when none runs', async () => {
    const watch = createOomWatch(fake.podman, root)
    kill(0)
    await watch.look([id])
    expect(await watch.look([])).toEqual([])
    kill(1)
    expect(await watch.look([id])).toEqual([])
    expect(fake.calls()).toHaveLength(2)
  })
})
