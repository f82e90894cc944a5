import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from 'vitest'
import { findPaths } from '../store/paths.ts'
import { removeContainer } from './containers.ts'
import { findPodman } from './podman-path.ts'
import { createPodman, type Podman } from './podman.ts'
import { type Death, type PodmanWatch, watchPodman } from './watch.ts'

const real = createPodman(findPodman(findPaths().toolchainPodman))
// The account's other containers and images, of other tests perhaps, are heard of too.

/** As on a machine where systemd offers no socket, so that the service is the watch's own and can be killed here. */
const podman: Podman = {
  ...real,
  async run(args, options) {
    const ended = await real.run(args, options)
    return args.includes('info') ? { ...ended, stdout: ended.stdout.replaceAll('/podman/podman.sock', '/podman/none.sock') } : ended
  },
}
const image = 'localhost/paddock-integration-watch:latest'
const folder = mkdtempSync(join(tmpdir(), 'paddock-watch-'))
const sockets = join(folder, 'own')

let watch: PodmanWatch
let told: { containers: number; images: number; connections: boolean[]; deaths: Death[]; killed: string[] }

beforeAll(async () => {
  await real.run(['build', '--quiet', '--tag', image, '-'], { input: 'FROM scratch\nLABEL made=here\nCMD ["/none"]\n' })
})
afterAll(async () => {
  await real.try(['rmi', '--force', '--ignore', image])
  rmSync(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  told = { containers: 0, images: 0, connections: [], deaths: [], killed: [] }
  watch = await startWatch()
})
afterEach(async () => {
  watch.close()
  await until(() => services().length === 0)
})

async function startWatch(since?: number): Promise<PodmanWatch> {
  const started = watchPodman(podman, sockets, {
    onContainers: () => void told.containers++,
    onImages: () => void told.images++,
    onConnection: (isConnected) => void told.connections.push(isConnected),
    onDied: (death) => void told.deaths.push(death),
    onKilled: (id) => void told.killed.push(id),
  }, since)
  await until(() => told.connections.at(-1) === true)
  return started
}

/** Processes that serve this test's socket; see proc(5). */
function services(): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Boolean)
  return pids.filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(sockets)
    } catch {
      return false
    }
  })
}

async function until(look: () => boolean): Promise<void> {
  await expect.poll(look, { timeout: 30_000, interval: 50 }).toBe(true)
}

// The image is empty: the programs are this machine's.
const programs = ['/usr', '/lib', '/lib64'].flatMap((path) => ['--volume', `${path}:${path}:ro`])
const run = ['run', '--rm', '--network', 'none', '--security-opt', 'label=disable', ...programs]
const deaths = () => told.deaths.filter((death) => death.image === image)

const create = async (...options: string[]) => (await real.run(['create', '--network', 'none', ...options, image])).stdout.trim()

describe('a watch of Podman', () => {
  test('tells of containers and of images', async () => {
    const id = await create()
    await until(() => told.containers > 0)
    const { containers } = told
    await removeContainer(real, id)
    await until(() => told.containers > containers)
    const { images } = told
    await real.run(['tag', image, 'localhost/paddock-integration-watch:again'])
    await until(() => told.images > images)
    await real.run(['untag', image, 'localhost/paddock-integration-watch:again'])
    expect(told.connections).toEqual([true])
  })

  test('tells how a container ended, with its labels, and of a signal that it is sent', async () => {
    expect((await real.try([...run, image, '/usr/bin/sh', '-c', 'exit 3'])).exitCode).toBe(3)
    await until(() => deaths().length === 1)
    expect(deaths()[0]).toMatchObject({ exitCode: 3, image, labels: { made: 'here' } })
    const id = (await real.run([...run, '--detach', image, '/usr/bin/sleep', '60'])).stdout.trim()
    await real.run(['kill', id])
    await until(() => deaths().length === 2)
    expect(told.killed).toContain(id)
    expect(told.killed).not.toContain(deaths()[0]!.id)
    expect(deaths()[1]).toMatchObject({ id, exitCode: 137 })
  })

  test('connects again when the service is killed, and hears what comes after', async () => {
    const before = services()
    expect(before.length).toBeGreaterThan(0)
    for (const pid of before) process.kill(pid, 'SIGKILL')
    await until(() => told.connections.length >= 3)
    expect(told.connections).toEqual([true, false, true])
    expect(services().some((pid) => before.includes(pid))).toBe(false)
    await removeContainer(real, await create())
    await until(() => told.containers > 0)
  })

  test('tells once, and late, what ended while there was no connection', async () => {
    watch.close()
    await until(() => services().length === 0)
    const since = Date.now()
    await real.try([...run, image, '/usr/bin/sh', '-c', 'exit 4'])
    watch = await startWatch(since)
    await until(() => deaths().length > 0)
    for (const pid of services()) process.kill(pid, 'SIGKILL')
    await until(() => told.connections.filter((isConnected) => isConnected).length >= 3)
    await real.try([...run, image, '/usr/bin/sh', '-c', 'exit 5'])
    await until(() => deaths().some(({ exitCode }) => exitCode === 5))
    expect(deaths().map(({ exitCode }) => exitCode)).toEqual([4, 5])
  })

  test('tells what happens after the clock was set back', async () => {
    watch.close()
    await until(() => services().length === 0)
    told.connections = []
    watch = await startWatch(Date.now() + 3_600_000)
    await real.try([...run, image, '/usr/bin/sh', '-c', 'exit 6'])
    await until(() => deaths().length > 0)
    expect(deaths().map(({ exitCode }) => exitCode)).toEqual([6])
  })

  test('leaves no process behind when it is closed, and tells nothing more', async () => {
    watch.close()
    await until(() => services().length === 0)
    await removeContainer(real, await create())
    expect(told).toMatchObject({ containers: 0, connections: [true] })
  })

  test('has no figures of, and no want of memory in, what is not there', async () => {
    expect(await watch.stats(['0'.repeat(64)])).toEqual([])
    expect(await watch.wasOutOfMemory('0'.repeat(64))).toBe(false)
  })
})
