import { readdirSync } from 'node:fs'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Sandbox } from '../shared/domain/sandbox.ts'
import { createWorld, exec, onMinimal, podmanPath, removeContainersOf, until, type World } from './harness.ts'
import type { Terminal } from './terminal.ts'

const prompt = /ai@[^\r\n]*\$ /
let world: World

beforeAll(async () => {
  world = createWorld('sandboxes')
  // Without --rm a sandbox that ended stays.
  world.profile('e2e-kept', onMinimal((label) => label.replace('--rm ', '')))
  const { code, stderr } = await world.paddock(['build', 'e2e-kept'])
  expect(code, stderr).toBe(0)
})
afterEach(() => removeContainersOf(world))
afterAll(() => world.dispose())

async function open(profile = 'minimal', ...command: string[]): Promise<{ terminal: Terminal; sandbox: Sandbox }> {
  const project = world.project()
  const terminal = world.terminal(['run', profile, '--project', project, ...(command.length > 0 ? ['--', ...command] : [])])
  await terminal.expect(command.length > 0 ? /ready/ : prompt)
  return { terminal, sandbox: (await world.ls()).find(({ state }) => state === 'running')! }
}

const goes = (id: string) => until('it is gone', async () => (await world.ls()).every((sandbox) => sandbox.id !== id))

describe('ls', () => {
  test('shows a running sandbox with its project, caps and the isolation that was measured', async () => {
    const before = Date.now()
    const { terminal, sandbox } = await open()
    expect(sandbox).toMatchObject({ profile: 'minimal', project: world.project(), state: 'running', isolation: 'container', error: null, ports: [] })
    expect(sandbox.id).toMatch(/^[0-9a-f]{64}$/)
    expect(sandbox.caps).toMatchObject({ ramMib: 2048, cpus: 2, tmpSize: '512m', pids: 512 })
    expect(Date.parse(sandbox.startedAt!)).toBeGreaterThan(before - 5_000)
    expect(Date.parse(sandbox.startedAt!)).toBeLessThan(Date.now() + 5_000)
    terminal.type('exit\r')
    await terminal.ended()
    await goes(sandbox.id)
  })

  test('says of each cap that this host does not hold, and only of those', async () => {
    const { terminal, sandbox } = await open()
    const { stdout } = await world.podman(['container', 'inspect', '--format', '{{.HostConfig.Memory}} {{.HostConfig.NanoCpus}} {{.HostConfig.PidsLimit}}', sandbox.id])
    const [memory, cpus, pids] = stdout.trim().split(' ').map(Number)
    const held = { ramMib: memory === 2048 * 1024 ** 2, cpus: cpus === 2e9, pids: pids === 512 }
    const names = Object.keys(held) as (keyof typeof held)[]
    expect(sandbox.caps.unenforced.toSorted()).toEqual(names.filter((name) => !held[name]).toSorted())
    terminal.type('exit\r')
    await terminal.ended()
  })

  test('shows a sandbox that plain Podman started', async () => {
    const project = world.project('plain podman')
    const { stdout, stderr, code } = await exec([podmanPath, 'run', '--detach', '--volume', `${project}:/home/ai/sandbox`, '--publish', '127.0.0.1::2222', '--tmpfs', '/tmp:size=7m', 'localhost/paddock:minimal', 'sleep', '60'], { env: world.env })
    // Its entrypoint refuses to start as root, so it is one that ended.
    expect(code, stderr).toBe(0)
    const sandbox = await until('the sandbox', async () => (await world.ls()).find(({ id }) => id === stdout.trim()))
    expect(sandbox).toMatchObject({ profile: 'minimal', project, caps: { ramMib: null, tmpSize: '7m' } })
    await until('its end', async () => (await world.ls()).find(({ id }) => id === stdout.trim())?.state === 'exited')
  })

  test('shows published ports', async () => {
    const project = world.project('ports')
    const started = await exec([podmanPath, 'run', '--detach', '--user', 'ai', '--userns', 'keep-id:uid=1000,gid=1000', '--volume', `${project}:/home/ai/sandbox`, '--publish', '127.0.0.1::2222', 'localhost/paddock:minimal', 'sleep', '60'], { env: world.env })
    expect(started.code, started.stderr).toBe(0)
    const sandbox = (await world.ls()).find(({ id }) => id === started.stdout.trim())
    expect(sandbox).toMatchObject({ state: 'running', isolation: 'container', ports: [{ host: '127.0.0.1', sandboxPort: 2222, protocol: 'tcp' }] })
    expect(sandbox!.ports[0]!.hostPort).toBeGreaterThan(1023)
  })

  test('prints columns for a person and JSON for a pipe', async () => {
    const { terminal, sandbox } = await open()
    const shown = world.terminal(['ls'])
    expect(await shown.ended()).toBe(0)
    expect(shown.text).toMatch(/ID +PROFILE +PROJECT +STATE +ISOLATION/)
    expect(shown.text).toContain(sandbox.id.slice(0, 12))
    const piped = await world.paddock(['ls'])
    expect((JSON.parse(piped.stdout) as Sandbox[]).map(({ id }) => id)).toContain(sandbox.id)
    terminal.type('exit\r')
    await terminal.ended()
  })
})

describe('stop and rm', () => {
  test('stop by a prefix hangs up on an interactive shell, hears of it in the terminal, and may be said twice', async () => {
    const { terminal, sandbox } = await open()
    const started = Date.now()
    const stopped = await world.paddock(['stop', sandbox.id.slice(0, 8)])
    expect(stopped.code, stopped.stderr).toBe(0)
    expect(stopped.stdout).toBe(`${sandbox.id}\n`)
    expect(Date.now() - started).toBeLessThan(15_000)
    await terminal.expect(/The sandbox was stopped \(SIGHUP\)/)
    expect(await terminal.ended()).toBe(129)
    await goes(sandbox.id)
    const again = await world.paddock(['stop', sandbox.id])
    expect([again.code, again.stdout]).toEqual([0, ''])
    expect(again.stderr).toContain('gone already')
  })

  test('a program that ignores every polite signal is stopped too', async () => {
    const { terminal, sandbox } = await open('minimal', 'sh', '-c', 'trap "" HUP TERM INT; echo ready; while :; do sleep 1; done')
    const started = Date.now()
    expect((await world.paddock(['stop', sandbox.id])).code).toBe(0)
    expect(Date.now() - started).toBeLessThan(30_000)
    expect(await terminal.ended()).toBe(137)
    await goes(sandbox.id)
  })

  test('several are stopped at once; a word that fits none stops nothing', async () => {
    const [first, second] = [await open(), await open()]
    const wrong = await world.paddock(['stop', first.sandbox.id, 'zzz'])
    expect(wrong.code).toBe(2)
    expect(wrong.stderr).toContain('no sandbox "zzz"')
    const running = (await world.ls()).filter(({ state }) => state === 'running')
    expect(running).toHaveLength(2)
    const both = await world.paddock(['stop', ...running.map(({ id }) => id)])
    expect(both.stdout.trim().split('\n').toSorted()).toEqual(running.map(({ id }) => id).toSorted())
    await Promise.all([first.terminal.ended(), second.terminal.ended()])
    const few = await world.paddock(['stop', ''])
    expect(few.code).toBe(2)
  })

  test('rm refuses a running one and names --force, with which it goes, launch folder and all', async () => {
    const { terminal, sandbox } = await open()
    const refused = await world.paddock(['rm', sandbox.id.slice(0, 10)])
    expect([refused.code, refused.stdout]).toEqual([125, ''])
    expect(refused.stderr).toMatch(/is running[^]*--force/)
    expect((await world.ls()).map(({ id }) => id)).toEqual([sandbox.id])
    const forced = await world.paddock(['rm', '--force', sandbox.id.slice(0, 10)])
    expect([forced.code, forced.stdout]).toEqual([0, `${sandbox.id}\n`])
    await terminal.ended()
    expect(await world.ls()).toEqual([])
    expect(readdirSync(world.launchesFolder)).toEqual([])
  })

  test('one that ended stays listed until rm, if its label keeps it', async () => {
    const ended = await world.paddock(['run', 'e2e-kept', '--project', world.project(), '--', 'sh', '-c', 'echo said; exit 4'])
    expect(ended.code).toBe(4)
    const [sandbox] = await world.ls()
    expect(sandbox).toMatchObject({ profile: 'e2e-kept', state: 'exited' })
    expect(sandbox!.isolation).not.toBe('microvm')
    expect((await world.paddock(['stop', sandbox!.id])).code).toBe(0)
    expect((await world.paddock(['logs', sandbox!.id.slice(0, 12)])).stdout).toContain('said')
    expect((await world.paddock(['rm', sandbox!.id])).code).toBe(0)
    expect(await world.ls()).toEqual([])
    expect((await world.paddock(['rm', sandbox!.id])).code).toBe(0)
  })
})

describe('attach and logs', () => {
  test('detach keys leave the sandbox running, and attach finds the same shell', async () => {
    const { terminal, sandbox } = await open()
    terminal.type('state=kept-$((40 + 2)); cd /tmp\r')
    await terminal.expect(/:\/tmp\$ /)
    terminal.type('\x10')
    await new Promise((resolve) => setTimeout(resolve, 200))
    terminal.type('\x11')
    await terminal.expect(new RegExp(`Detached: sandbox ${sandbox.id.slice(0, 12)} runs on`))
    expect(await terminal.ended()).toBe(0)
    expect((await world.ls()).map(({ id, state }) => [id, state])).toEqual([[sandbox.id, 'running']])
    const again = world.terminal(['attach', sandbox.id.slice(0, 6)])
    await until('the shell answers', async () => {
      again.type('echo $state in $PWD\r')
      return again.expect(/kept-42 in \/tmp/, 1_000).catch(() => false)
    })
    again.resize(77, 22)
    await until('the new size arrives', async () => {
      again.type('stty size\r')
      return again.expect(/22 77/, 1_000).catch(() => false)
    })
    again.type('exit 6\r')
    expect(await again.ended()).toBe(6)
    await goes(sandbox.id)
  })

  test('logs prints what was written so far, or follows it until the sandbox ends', async () => {
    const { terminal, sandbox } = await open('minimal', 'sh', '-c', 'echo ready; read -r line; echo got $line; read -r line')
    expect((await world.paddock(['logs', sandbox.id])).stdout).toMatch(/^ready\r?\n$/)
    const following = world.terminal(['logs', '--follow', sandbox.id])
    await following.expect(/ready/)
    terminal.type('it\r')
    await following.expect(/got it/)
    terminal.type('\r')
    expect(await terminal.ended()).toBe(0)
    await following.ended()
  })

  test('a word that names no sandbox is a wrong use', async () => {
    for (const command of ['attach', 'logs', 'stop', 'rm']) {
      const { code, stderr } = await world.paddock([command, 'nothing'])
      expect([command, code]).toEqual([command, 2])
      expect(stderr).toMatch(/no sandbox "nothing"[^]*paddock ls/)
    }
  })
})
