import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox } from './fixtures/guest.ts'
import { openStdio } from './fixtures/mcp.ts'
import { createWorld, root, type World } from './harness.ts'

/** Agents by command, with the ARG that pins each in the base profile's Containerfile. */
const agents = [
  ['claude', 'CLAUDE_CODE_VERSION'],
  ['codex', 'CODEX_VERSION'],
  ['opencode', 'OPENCODE_VERSION'],
  ['gemini', 'GEMINI_CLI_VERSION'],
  ['pi', 'PI_VERSION'],
  ['kimi', 'KIMI_CODE_VERSION'],
] as const

const containerfile = readFileSync(join(root, 'profiles/base/Containerfile'), 'utf8')
const pinned = (arg: string) => new RegExp(`^ARG ${arg}=(\\S+)$`, 'm').exec(containerfile)![1]!
const minutes = 60_000

let world: World
const run = (...command: string[]) => world.paddock(['run', '--project', world.project(), '--', ...command])

beforeAll(async () => {
  world = createWorld('agents')
  const { code, stderr } = await world.paddock(['build'])
  expect(code, stderr.slice(-4_000)).toBe(0)
}, 30 * minutes)
afterAll(() => world.dispose())

describe('a sandbox of the default profile', () => {
  test.each(agents)('%s answers with the version that the profile pins', async (command, arg) => {
    const { code, stdout, stderr } = await run(command, '--version')
    expect(code, stderr).toBe(0)
    expect(stdout).toContain(pinned(arg))
  })

  test.each(['git', 'rg', 'jq', 'python3', 'node', 'npm', 'curl', 'vim', 'less', 'make', 'gcc'])('%s answers', async (command) => {
    const { code, stdout, stderr } = await run(command, '--version')
    expect(code, stderr).toBe(0)
    expect(stdout).toMatch(/\d/)
  })

  test('Node is recent enough for every agent', async () => {
    const { stdout } = await run('node', '--print', 'process.versions.node')
    const [major, minor] = stdout.split('.').map(Number)
    expect(major! > 22 || (major === 22 && minor! >= 19), stdout).toBe(true)
  })

  test('an interactive shell has a starship prompt, and its home is as empty as the host’s was', async () => {
    const terminal = world.terminal(['run', '--project', world.project()])
    await terminal.expect(/❯|>|\$ /)
    terminal.type('starship --version; echo "config=$STARSHIP_CONFIG"; type -t starship_precmd\r')
    await terminal.expect(/starship \d+\.\d+/)
    await terminal.expect(/config=\/etc\/starship\.toml/)
    await terminal.expect(/function/)
    terminal.type('exit\r')
    expect(await terminal.ended()).toBe(0)
    const { stdout } = await world.podman(['run', '--rm', '--entrypoint', 'ls', 'localhost/paddock:latest', '-A', '/home/ai'])
    expect(stdout).toBe('')
  })

  test('is as hard as the minimal one', async () => {
    const { stdout, stderr } = await run('sh', '-c', 'id -u; pwd; touch /x; cat /proc/self/status; cp /bin/true /tmp/x && /tmp/x; echo "tmp $?"; ls /home/ai/.ssh')
    expect(stdout).toMatch(/^1000\n\/home\/ai\/sandbox\n/)
    expect(stderr).toContain("'/x': Read-only file system")
    expect(stdout).toMatch(/^CapBnd:\t0{16}$/m)
    expect(stdout).toMatch(/^CapEff:\t0{16}$/m)
    expect(stdout).toMatch(/^NoNewPrivs:\t1$/m)
    expect(stdout).toMatch(/^tmp 126$/m)
  })

  test('is reached through its guest channel: commands, shells, files, ports, ssh and MCP', async () => {
    const project = world.project('channel')
    const id = await startSandbox(world, 'default', project)
    const short = id.slice(0, 12)
    expect((await world.ls()).find((sandbox) => sandbox.id === id)?.channelProblem).toBeNull()
    expect(await world.paddock(['exec', short, '--', 'sh', '-c', 'id -un; pwd; claude --version; cat; exit 3'], { input: 'piped' })).toMatchObject({ code: 3, stdout: expect.stringMatching(/^ai\n\/home\/ai\/sandbox\n.*piped$/s) })
    const shell = world.terminal(['shell', short])
    await shell.expect(/❯|>|\$ /)
    shell.type('exit 7\r')
    expect(await shell.ended()).toBe(7)
    const [source, back] = [join(world.folder, 'large'), join(world.folder, 'back')]
    writeFileSync(source, Buffer.alloc(40_000_000, 'goes in and comes out\n'))
    for (const args of [[source, `${short}:/var/tmp/large`], [`${short}:/var/tmp/large`, back]]) {
      const { code, stderr } = await world.paddock(['cp', ...args])
      expect(code, stderr).toBe(0)
    }
    expect(readFileSync(back).equals(readFileSync(source))).toBe(true)
    expect(JSON.parse((await world.paddock(['ports', short, '--json'])).stdout)).toEqual([])
    expect(await world.paddock(['ssh', short, 'echo', 'by ssh'])).toMatchObject({ code: 0, stdout: 'by ssh\n' })
    const client = await openStdio(world, ['--project', project])
    try {
      expect(await client.value('workspace_status')).toMatchObject({ profile: 'default', isolation: 'container' })
      expect(await client.value('run_workspace_command', { command: 'node --version' })).toMatchObject({ exit_code: 0, stdout: expect.stringMatching(/^v\d+/) })
    } finally {
      await client.close()
    }
    expect((await world.paddock(['stop', short])).code).toBe(0)
  })

  test('base itself carries no run label and cannot be run', async () => {
    const { stdout } = await world.podman(['image', 'inspect', '--format', '{{index .Labels "run"}}', 'localhost/paddock-base:latest'])
    expect(stdout.trim()).toBe('')
    expect((await world.paddock(['run', 'base', '--project', world.project()])).code).toBe(2)
  })
})
