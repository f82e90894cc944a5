import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unenforcedCaps } from '../electron/core/sandboxes/cgroup-limits.ts'
import { forkBomb, forkBombDone, memoryHog, memoryHogDone, tightCaps } from './fixtures/hogs.ts'
import { createWorld, onMinimal, type World } from './harness.ts'

let world: World
const unenforced = await unenforcedCaps()
if (unenforced.length > 0) {
  process.stderr.write(
    `\n*** This host does not hold the caps ${unenforced.join(', ')} for an ordinary account, so here it is only tested that Paddock says so.\n` +
      '*** That caps stop a memory hog and a fork bomb is tested as root: see e2e/root/.\n\n',
  )
}

beforeAll(async () => {
  world = createWorld('caps')
  world.profile('e2e-caps', onMinimal(tightCaps))
  const { code, stderr } = await world.paddock(['build', 'e2e-caps'])
  expect(code, stderr).toBe(0)
})
afterAll(() => world.dispose())

const run = (profile: string, command: readonly string[]) => world.paddock(['run', profile, '--project', world.project(), '--', ...command])

describe('the caps of a label', () => {
  test('let a program have what is under them', async () => {
    expect((await run('minimal', memoryHog)).stdout.trim()).toBe(memoryHogDone)
    expect((await run('minimal', forkBomb)).stdout.trim()).toBe(forkBombDone)
  })

  test('stop a memory hog, or are said not to', async () => {
    const { stdout, stderr } = await run('e2e-caps', memoryHog)
    if (unenforced.includes('ramMib')) expect(stderr).toMatch(/cannot enforce the .*memory/)
    else expect(stdout.trim()).not.toBe(memoryHogDone)
  })

  test('stop a fork bomb, or are said not to', async () => {
    const { stdout, stderr } = await run('e2e-caps', forkBomb)
    if (unenforced.includes('pids')) expect(stderr).toMatch(/cannot enforce the .*process/)
    else expect(stdout.trim()).not.toBe(forkBombDone)
  })

  test('hold for /tmp on every host', async () => {
    const { code, stdout, stderr } = await run('minimal', ['sh', '-c', 'head -c 600M /dev/zero > /tmp/big; stat -c %s /tmp/big'])
    expect(code).toBe(0)
    expect(stderr).toContain('No space left on device')
    expect(Number(stdout)).toBeLessThanOrEqual(512 * 1024 ** 2)
  })
})
