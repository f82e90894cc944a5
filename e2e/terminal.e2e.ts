import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, until, type World } from './harness.ts'
import { ctrlC } from './terminal.ts'

const prompt = /ai@[^\r\n]*\$ /
let world: World

beforeAll(async () => {
  world = createWorld('terminal')
  const { code, stderr } = await world.paddock(['build', 'minimal'])
  expect(code, stderr).toBe(0)
})
afterAll(() => world.dispose())

const open = (name: string, ...command: string[]) =>
  world.terminal(['run', 'minimal', '--project', world.project(name), ...(command.length > 0 ? ['--', ...command] : [])])

describe('a sandbox in a real terminal', () => {
  test('gives a login shell at a prompt, knows its size from the start, and hears of a new one', async () => {
    const terminal = open('shell')
    await terminal.expect(prompt)
    terminal.type('tty; stty size\r')
    await terminal.expect(/\/dev\/pts\/\d+\r\n30 100\r\n/)
    terminal.type(`trap 'echo "size changed"' WINCH; echo trap is s""et\r`)
    await terminal.expect(/trap is set/)
    terminal.resize(132, 43)
    await terminal.expect(/size changed/)
    terminal.type('stty size\r')
    await terminal.expect(/43 132\r\n/)
    terminal.type('exit 3\r')
    expect(await terminal.ended()).toBe(3)
    await until('no sandbox', async () => (await world.ls()).length === 0)
  })

  test('Ctrl-C ends the shell’s foreground program with 130 and leaves the shell', async () => {
    const terminal = open('ctrl-c-shell')
    await terminal.expect(prompt)
    terminal.type('echo be""gin; sleep 600\r')
    await terminal.expect(/begin/)
    terminal.type(ctrlC)
    await terminal.expect(prompt)
    terminal.type('echo code=$?\r')
    await terminal.expect(/code=130\r/)
    terminal.type('\x04')
    // bash passes on the code of its last command.
    expect(await terminal.ended()).toBe(0)
  })

  test('Ctrl-C ends a command that is no shell with 130, and nothing is left', async () => {
    const terminal = open('ctrl-c-command', 'sh', '-c', 'sh -c "echo begin; exec sleep 600"; exit $?')
    await terminal.expect(/begin/)
    terminal.type(ctrlC)
    expect(await terminal.ended()).toBe(130)
    await until('no sandbox', async () => (await world.ls()).length === 0)
  })

  test('a flood of output stops at Ctrl-C', async () => {
    const terminal = open('flood')
    await terminal.expect(prompt)
    terminal.type('yes flood\r')
    await until('the flood', () => terminal.text.length > 200_000)
    terminal.type(ctrlC)
    terminal.type('echo dry""land\r')
    await terminal.expect(/dryland/)
    terminal.type('exit\r')
    expect(await terminal.ended()).toBe(0)
  })

  test('wide characters, arrows and a pasted text arrive intact', async () => {
    const terminal = open('input', 'bash', '-c', 'echo ready; IFS= read -rsn 12 typed; printf "[%s]" "$typed" | od -An -tx1 | tr -d " \\n"; echo .')
    await terminal.expect(/ready/)
    terminal.type('é漢🦊\x1b[A\x1b[Babc')
    const sent = Buffer.from('[é漢🦊\x1b[A\x1b[Babc]').toString('hex')
    await terminal.expect(new RegExp(`${sent}\\.`))
    expect(await terminal.ended()).toBe(0)
  })

  test('output that goes to a file is a stream and no terminal', async () => {
    const { stdout, code } = await world.paddock(['run', 'minimal', '--project', world.project('stream'), '--', 'sh', '-c', 'test -t 1 || echo stream'])
    expect([stdout, code]).toEqual(['stream\n', 0])
  })
})

describe('signals to the command itself', () => {
  test('SIGTERM ends a sandbox whose first process does not hear it, after a while', async () => {
    let pid = 0
    const running = world.paddock(['run', 'minimal', '--project', world.project(), '--', 'sleep', '300'], { onStarted: (started) => (pid = started) })
    await until('the sandbox', async () => (await world.ls()).some(({ state }) => state === 'running'))
    process.kill(pid, 'SIGTERM')
    expect((await running).code).toBe(137)
    expect(await world.ls()).toEqual([])
  })

  test('SIGTERM to `paddock run` without a terminal ends the sandbox and nothing is left', async () => {
    const project = world.project('term')
    let pid = 0
    const ended = world.paddock(['run', 'minimal', '--project', project, '--', 'sh', '-c', 'trap "exit 7" TERM; while :; do sleep 0.1; done'], {
      onStarted: (started) => (pid = started),
    })
    await until('the sandbox', async () => (await world.ls()).some((sandbox) => sandbox.project === project && sandbox.state === 'running'))
    process.kill(pid, 'SIGTERM')
    expect((await ended).code).toBe(7)
    expect((await world.ls()).filter((sandbox) => sandbox.project === project)).toEqual([])
  })
})
