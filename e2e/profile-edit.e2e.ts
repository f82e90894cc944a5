import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { prepareLaunch } from '../electron/core/sandboxes/prepare-launch.ts'
import { previewChange } from '../shared/domain/profile-form/preview-change.ts'
import { ableHost, createLauncher } from './fixtures/core.ts'
import { installRecordingRuntime } from './fixtures/recording-runtime.ts'
import { createWorld, type World } from './harness.ts'
import { openTerminal } from './terminal.ts'

let world: World
beforeAll(async () => {
  world = createWorld('profile-edit')
  // Made by the command below; named here so that its image goes with the world.
  world.ownImage('e2e-mine')
  // The build of what it is built on must not be measured with this test's time.
  expect((await world.paddock(['build', 'minimal'])).code).toBe(0)
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await world.dispose()
})

const paddock = async (...args: string[]) => {
  const ended = await world.paddock(args)
  expect(ended.code, ended.stderr).toBe(0)
  return ended.stdout
}
const file = () => join(world.profilesFolder, 'e2e-mine/Containerfile')

describe('a profile that is shaped from the command line', () => {
  test('is duplicated, changed in its text only where it must be, and has no errors', async () => {
    expect((await paddock('profile', 'duplicate', 'minimal', 'e2e-mine')).trim()).toBe(file())
    const before = readFileSync(file(), 'utf8')
    const { stderr } = await world.paddock(['profile', 'set', 'e2e-mine', 'ram=4096', 'cpus=3', 'pids=300', 'tmp=64m', 'egress=deny', 'env+=GREETING=hello world', 'apt+=less'])
    expect(stderr).toContain('Rebuild needed')
    const after = readFileSync(file(), 'utf8')
    expect(previewChange(before, after).effect).toBe('rebuild')
    const changed = after.split('\n').filter((line) => !before.split('\n').includes(line))
    expect(changed).toEqual([
      '      ca-certificates git openssh-server less \\',
      'ENV GREETING="hello world"',
      '--network none \\',
      '--annotation krun.ram_mib=4096 \\',
      '--annotation krun.cpus=3 \\',
      '--annotation dev.paddock.egress=deny \\',
      '--tmpfs /tmp:rw,noexec,nosuid,nodev,size=64m \\',
      '--pids-limit 300 \\',
    ])
    expect(await paddock('profile', 'lint', 'e2e-mine')).toBe('')
  })

  test('is built, and its sandbox has what was set', async () => {
    await paddock('build', 'e2e-mine')
    const told = await paddock('run', 'e2e-mine', '--project', world.project(), '--', 'sh', '-c', 'echo "$GREETING"; command -v less; stat -f -c "%b %S" /tmp')
    const [greeting, less, blocks] = told.trim().split('\n')
    const [count, size] = blocks!.split(' ').map(Number)
    expect([greeting, less, count! * size!]).toEqual(['hello world', '/usr/bin/less', 64 * 1024 ** 2])
    const listed = JSON.parse(await paddock('profiles', '--json')) as { name: string; caps: unknown }[]
    expect(listed.find(({ name }) => name === 'e2e-mine')).toMatchObject({ state: 'fresh', findings: [], caps: { ramMib: 4096, cpus: 3, tmpSize: '64m', pids: 300 } })
  })

  test('hands krun the annotations that were set', async () => {
    const runtime = await installRecordingRuntime(world, '+LIBKRUN')
    const input = { profile: 'e2e-mine', project: world.project(), cwd: '/', tty: true, command: ['true'], acceptFindings: false, isolation: 'microvm' as const }
    const plan = await prepareLaunch(createLauncher(world, ableHost), input, { signal: new AbortController().signal, onProgress: () => {} })
    runtime.taken()
    const terminal = openTerminal(plan.command as [string, ...string[]], world.env, world.folder)
    await terminal.ended()
    const [config] = runtime.taken()
    expect(config!.annotations, terminal.text).toMatchObject({ 'krun.ram_mib': '4096', 'krun.cpus': '3', 'dev.paddock.egress': 'deny' })
  })

  test('goes to the trash, and is not listed any more', async () => {
    await world.paddock(['profile', 'delete', 'e2e-mine'], { env: { XDG_DATA_HOME: join(world.folder, 'data') } })
    expect(existsSync(file())).toBe(false)
    expect(await paddock('profiles', '--json')).not.toContain('e2e-mine')
  })
})
