import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { capsOf } from '../../shared/domain/caps.ts'
import { planLaunch } from '../../shared/domain/launch.ts'
import { expandRunLabel, formatRunCommand, parseRunLabel } from '../../shared/domain/run-label.ts'
import { forkBomb, forkBombDone, memoryHog, memoryHogDone, tightCaps } from '../fixtures/hogs.ts'
import { createRootPodman, type Ended, type RootPodman } from './root-podman.ts'

const image = 'localhost/paddock:minimal'
let podman: RootPodman
let label: string

beforeAll(() => {
  if (process.getuid?.() !== 0) throw new Error('These tests need root: only root’s Podman holds caps on every version of control groups.')
  podman = createRootPodman(image)
  label = podman.run(['image', 'inspect', '--format', '{{index .Labels "run"}}', image]).stdout.trim()
})
afterAll(() => podman?.dispose())

/** What Paddock passes for a label under container isolation, less what only a rootless Podman or a project needs. */
function argumentsOf(text: string, command: readonly string[]): string[] {
  const parsed = parseRunLabel(text)
  const expanded = expandRunLabel(parsed, { PWD: '/nonexistent', HOME: '/nonexistent', USER: 'root', IMAGE: image, NAME: 'paddock' })
  const plan = planLaunch(expanded, {
    launchId: 'x', profile: 'minimal', project: '/nonexistent', cidFile: '/nonexistent', bootIdFile: '/nonexistent', channelFolder: '/nonexistent',
    isolation: 'container', egress: 'open', tty: false, command, caps: capsOf(parsed.options), avoidPasst: false, proxyPort: null, caFile: null, canLimit: { memory: true, cpus: true },
  })
  // Root's Podman has neither pasta nor keep-id, and these tests mount nothing.
  const left = new Set(['--network', '--userns', '--volume', '--cidfile', '--workdir'])
  const options = plan.options.filter(({ flag }) => !left.has(flag))
  return formatRunCommand({ ...plan, options: [...options, { flag: '--network', value: 'none' }] })
}
const run = (text: string, command: readonly string[]): Ended => podman.run(argumentsOf(text, command))

describe('the caps of the minimal profile’s label, as Paddock passes them', () => {
  test('are passed, and reach the control group', () => {
    const args = argumentsOf(tightCaps(label), ['true'])
    expect(args).toEqual(expect.arrayContaining(['--memory=96m', '--pids-limit=40', '--cpus=2']))
    const { stdout, stderr } = run(tightCaps(label), [
      'sh', '-c', 'cd /sys/fs/cgroup; cat memory/memory.limit_in_bytes memory.max 2>/dev/null; cat pids/pids.max pids.max 2>/dev/null',
    ])
    expect(stdout.trim().split('\n'), stderr).toEqual([String(96 * 1024 ** 2), '40'])
  })

  test('a program that stays under them runs to its end', () => {
    expect(run(label, memoryHog)).toMatchObject({ code: 0, stdout: `${memoryHogDone}\n` })
    expect(run(label, forkBomb)).toMatchObject({ code: 0, stdout: `${forkBombDone}\n` })
  })

  test('a memory hog is killed', () => {
    const { stdout } = run(tightCaps(label), memoryHog)
    expect(stdout.trim()).not.toBe(memoryHogDone)
    const alone = run(tightCaps(label), ['sh', '-c', `head -c 400M /dev/zero | tail -n 1 > /dev/null; exit $?`])
    expect(alone.code).toBe(137)
  })

  test('a fork bomb runs into a wall', () => {
    const { code, stdout, stderr } = run(tightCaps(label), forkBomb)
    expect(code).not.toBe(0)
    expect(stdout.trim()).not.toBe(forkBombDone)
    expect(stderr).toMatch(/[Cc]annot fork|Resource temporarily unavailable/)
  })
})
