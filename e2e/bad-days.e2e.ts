import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { containersOf, createWorld, onMinimal, removeContainersOf, root, until, type World } from './harness.ts'
import { openTerminal } from './terminal.ts'

const prompt = /ai@[^\r\n]*\$ /
let world: World
/** Without the id mapping an image needs no second copy of its layers: quick, where the launch is to fail anyway. */
const quick = (label: string) => label.replace('--userns keep-id:uid=1000,gid=1000 ', '')
const launches = () => (existsSync(world.launchesFolder) ? readdirSync(world.launchesFolder) : [])

beforeAll(async () => {
  world = createWorld('bad-days')
  const { code, stderr } = await world.paddock(['build', 'minimal'])
  expect(code, stderr).toBe(0)
})
afterEach(() => removeContainersOf(world))
afterAll(() => world.dispose())

describe('a launch that fails half way leaves neither container nor launch folder', () => {
  test('a label that mounts a folder which does not exist', async () => {
    world.profile('e2e-missing-mount', onMinimal((label) => quick(label).replace('--workdir', '--volume /nonexistent/folder:/mnt --workdir')))
    const { code, stdout, stderr } = await world.paddock(['run', 'e2e-missing-mount', '--project', world.project(), '--', 'true'])
    expect([code, stdout]).toEqual([125, ''])
    expect(stderr).toContain('/nonexistent/folder')
    expect(await containersOf(world)).toEqual([])
    expect(launches()).toEqual([])
  })

  test('an option that Podman does not know', async () => {
    world.profile('e2e-bad-option', onMinimal((label) => quick(label).replace('--read-only', '--read-only --no-such-option=1')))
    const { code, stderr } = await world.paddock(['run', 'e2e-bad-option', '--project', world.project(), '--', 'true'])
    expect(code).toBe(125)
    expect(stderr).toContain('no-such-option')
    expect(await containersOf(world)).toEqual([])
    expect(launches()).toEqual([])
  })

  test('an entrypoint that is missing is 127, one that may not run 126', async () => {
    world.profile('e2e-no-entrypoint', onMinimal(quick, ['ENTRYPOINT ["/nonexistent-entrypoint"]']))
    world.profile('e2e-not-executable', onMinimal(quick, ['ENTRYPOINT ["/etc/passwd"]']))
    for (const [profile, expected] of [['e2e-no-entrypoint', 127], ['e2e-not-executable', 126]] as const) {
      const { code, stderr } = await world.paddock(['run', profile, '--project', world.project(), '--', 'true'])
      expect(code, stderr).toBe(expected)
      expect(await containersOf(world)).toEqual([])
      expect(launches()).toEqual([])
    }
  })
})

describe('the command is killed', () => {
  test('the sandbox goes on, is listed, can be attached to and ended', async () => {
    const project = world.project('killed')
    // As in a person's terminal, a shell stands above the command and lives on when it is killed.
    const shell = openTerminal(['sh'], { ...world.env, PS1: 'host> ' }, project)
    shell.type(`'${process.execPath}' '${root}/dist/paddock.cjs' run minimal\r`)
    await shell.expect(prompt)
    shell.type('state=kept-$((40 + 2))\r')
    await shell.expect(prompt)
    process.kill(await childOf(shell.pid), 'SIGKILL')
    await shell.expect(/host> /)
    const [sandbox] = await world.ls()
    expect(sandbox).toMatchObject({ profile: 'minimal', project, state: 'running', isolation: 'container' })
    const again = world.terminal(['attach', sandbox!.id])
    await until('the shell answers', async () => {
      again.type('echo $state\r')
      return again.expect(/kept-42/, 1_000).catch(() => false)
    })
    expect((await world.paddock(['stop', sandbox!.id])).code).toBe(0)
    await again.ended()
    await until('it is gone', async () => (await world.ls()).length === 0)
  })

  test('what a killed launch left behind is removed by the next listing once it is old', async () => {
    const [old, young] = ['11111111-1111-1111-1111-111111111111', '22222222-2222-2222-2222-222222222222'].map((id) => join(world.launchesFolder, id))
    for (const folder of [old!, young!]) mkdirSync(folder, { recursive: true })
    utimesSync(old!, new Date(0), new Date(0))
    await world.ls()
    expect([existsSync(old!), existsSync(young!)]).toEqual([false, true])
    rmSync(young!, { recursive: true })
  })
})

describe('every process of Podman’s is killed while a sandbox runs', () => {
  let own: World
  beforeAll(() => {
    own = createWorld('killed-podman', { ownStore: true, ownRuntimeFolder: true })
  })
  afterAll(() => own.dispose())

  const running = async () => (await own.ls()).filter(({ state }) => state === 'running')
  const killAll = async () => {
    const project = own.project()
    const terminals = [own.terminal(['run', 'minimal', '--project', project]), own.terminal(['run', 'minimal', '--project', project])]
    await Promise.all(terminals.map((terminal) => terminal.expect(prompt)))
    expect(await running()).toHaveLength(2)
    // As the end of a session does that takes all of the account's processes, with no boot after it.
    for (const pid of processesOf(own)) kill(pid)
    await Promise.all(terminals.map((terminal) => terminal.ended()))
    const { code, stderr } = await own.podman(['ps'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('try resetting the pause process')])
    return project
  }

  test('a listing mends Podman, and tells that they have ended', async () => {
    await killAll()
    const listings = await Promise.all([own.paddock(['ls', '--json']), own.paddock(['ls', '--json'])])
    for (const { code, stderr } of listings) expect(code, stderr).toBe(0)
    expect(await running()).toEqual([])
  })

  test('so does the next launch', async () => {
    const project = await killAll()
    const { code, stdout, stderr } = await own.paddock(['run', 'minimal', '--project', project, '--', 'echo', 'alive'])
    expect([code, stdout], stderr).toEqual([0, 'alive\n'])
  })
})

describe('what happens beside Paddock', () => {
  test('a remote Podman in the environment is not used', async () => {
    const env = { CONTAINER_HOST: 'tcp://127.0.0.1:1', CONTAINER_CONNECTION: 'elsewhere' }
    const run = await world.paddock(['run', 'minimal', '--project', world.project(), '--', 'echo', 'here'], { env })
    expect([run.code, run.stdout], run.stderr).toEqual([0, 'here\n'])
    const ls = await world.paddock(['ls', '--json'], { env })
    expect(ls.code, ls.stderr).toBe(0)
    const doctor = await world.paddock(['doctor'], { env })
    expect(doctor.stdout).toContain('CONTAINER_HOST')
  })

  test('a sandbox removed by plain Podman ends the command, and nothing is left', async () => {
    const before = launches()
    const terminal = world.terminal(['run', 'minimal', '--project', world.project('removed')])
    await terminal.expect(prompt)
    const [sandbox] = await world.ls()
    await world.podman(['rm', '--force', '--time', '0', sandbox!.id])
    expect(await terminal.ended()).toBeGreaterThan(0)
    expect(await world.ls()).toEqual([])
    expect(launches()).toEqual(before)
  })

  test('a project folder that vanishes leaves the sandbox running, listed, and able to be ended', async () => {
    const project = world.project('vanishing')
    const terminal = world.terminal(['run', 'minimal', '--project', project])
    await terminal.expect(prompt)
    rmSync(project, { recursive: true })
    const [sandbox] = await world.ls()
    expect(sandbox).toMatchObject({ project, state: 'running' })
    terminal.type('cd /; echo still here\r')
    await terminal.expect(/still here\r\n/)
    expect((await world.paddock(['stop', sandbox!.id])).code).toBe(0)
    await terminal.ended()
  })

  test('an agent that put a link in the mount point’s place gains nothing', async () => {
    const secret = join(world.folder, 'outside')
    mkdirSync(secret)
    const homes = join(homedir(), '.local/share/paddock/homes')
    const home = join(homes, `e2e-${process.pid}`)
    mkdirSync(home, { recursive: true })
    symlinkSync(secret, join(home, 'sandbox'))
    try {
      world.profile('e2e-link', onMinimal((label) => label.replace('homes/default', `homes/e2e-${process.pid}`)))
      const project = world.project('linked')
      const { code, stderr } = await world.paddock(['run', 'e2e-link', '--project', project, '--', 'touch', 'made'])
      expect(code, stderr).toBe(0)
      expect(stderr).toContain('was no folder')
      expect(readdirSync(secret)).toEqual([])
      expect(readdirSync(project)).toEqual(['made'])
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  })

  test('two commands that find the same stale image build it once', async () => {
    world.profile('e2e-twice', onMinimal(quick, ['RUN sleep 2']))
    const run = () => world.paddock(['run', 'e2e-twice', '--project', world.project(), '--', 'echo', 'ran'])
    const both = await Promise.all([run(), run()])
    expect(both.map(({ code, stdout }) => [code, stdout])).toEqual([[0, 'ran\n'], [0, 'ran\n']])
    expect(both.filter(({ stderr }) => stderr.includes('Building localhost/paddock:e2e-twice'))).toHaveLength(1)
    expect(both.filter(({ stderr }) => stderr.includes('Waiting for another Paddock'))).toHaveLength(1)
  })

  test('Ctrl-C during a build ends it with 130, and the next build is whole', async () => {
    world.profile('e2e-slow', onMinimal(quick, ['RUN sleep 4; echo done > /done']))
    const terminal = world.terminal(['build', 'e2e-slow'])
    await terminal.expect(/RUN sleep 4/)
    terminal.type('\x03')
    expect(await terminal.ended()).toBe(130)
    expect((await world.podman(['image', 'exists', 'localhost/paddock:e2e-slow'])).code).toBe(1)
    const { code, stderr } = await world.paddock(['build', 'e2e-slow'])
    expect(code, stderr).toBe(0)
  })
})

/** The only child of a process; see proc(5), `/proc/PID/task/TID/children`. */
async function childOf(pid: number): Promise<number> {
  return Number(await until('a child', () => readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()))
}

/** Podman's clients, monitors and pause process in this world, and all that they started. */
function processesOf({ folder, env }: World): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).map(Number)
  const names = (pid: number) => ['cmdline', 'environ'].some((file) => readProc(pid, file).includes(folder))
  const parentOf = (pid: number) => Number(readProc(pid, 'stat').replace(/^.*\) /, '').split(' ')[1])
  const found = new Set([Number(readFileSync(join(env.XDG_RUNTIME_DIR!, 'libpod/tmp/pause.pid'), 'utf8')), ...all.filter(names)])
  for (let size = 0; size < found.size; ) {
    size = found.size
    for (const pid of all) if (found.has(parentOf(pid))) found.add(pid)
  }
  return [...found]
}

/** One that ended meanwhile, as a parent's end takes its children along, is what was wanted. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Empty for a process that is another's or has ended. */
function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
