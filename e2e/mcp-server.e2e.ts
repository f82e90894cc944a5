import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox } from './fixtures/guest.ts'
import { type McpHttp, openStdio, startBareClient, startHttp } from './fixtures/mcp.ts'
import { createWorld, onMinimal, until, type World } from './harness.ts'

let world: World
let project: string

beforeAll(async () => {
  world = createWorld('mcp-server')
  project = world.project()
  const { code, stderr } = await world.paddock(['build', 'minimal'])
  expect(code, stderr).toBe(0)
  await startSandbox(world, 'minimal', project)
})
afterAll(() => world?.dispose())

describe('over HTTP, a request', () => {
  let server: McpHttp
  const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } } })
  beforeAll(async () => {
    server = await startHttp(world, ['--project', project, '--read-only', '--allow-host', 'box.example.net'])
  })
  afterAll(() => server?.stop())
  const ask = (headers: Record<string, string>, more = {}) => server.raw({ headers: { authorization: `Bearer ${server.token}`, ...headers }, body: initialize, ...more })

  test('with the token comes in', async () => {
    expect(await ask({})).toMatchObject({ status: 200, headers: { 'mcp-session-id': expect.any(String) } })
    expect(await ask({ host: `localhost:${server.port}` })).toMatchObject({ status: 200 })
    expect(await ask({ host: 'box.example.net', origin: 'https://box.example.net' })).toMatchObject({ status: 200 })
  })

  test('with a wrong token or none does not', async () => {
    expect(await ask({ authorization: 'Bearer wrong' })).toMatchObject({ status: 401, headers: { 'www-authenticate': expect.stringMatching(/^Bearer/) } })
    expect(await server.raw({ body: initialize })).toMatchObject({ status: 401 })
    expect(await server.raw({ method: 'GET' })).toMatchObject({ status: 401 })
  })

  test('of a page does not, and answers no page’s question beforehand', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost:3000']) expect(await ask({ origin })).toMatchObject({ status: 403 })
    const preflight = await server.raw({ method: 'OPTIONS', headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' } })
    expect(preflight.status).toBe(403)
    expect(preflight.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('to another name does not, even with the token', async () => {
    for (const host of ['evil.example', `evil.example:${server.port}`, '127.0.0.1', `127.0.0.1:${server.port}.evil.example`]) expect(await ask({ host })).toMatchObject({ status: 403 })
  })

  test('of an unknown session, to another path, or too long is refused', async () => {
    expect(await ask({ 'mcp-session-id': 'none' })).toMatchObject({ status: 404 })
    expect(await ask({}, { path: '/other' })).toMatchObject({ status: 404 })
    expect(await ask({}, { method: 'GET' })).toMatchObject({ status: 400 })
    expect(await ask({}, { body: ' '.repeat(5_000_000) })).toMatchObject({ status: 413 })
    expect(await ask({}, { body: '{' })).toMatchObject({ status: 400 })
  })

  test('for what is read-only can change nothing', async () => {
    const client = await server.connect()
    const { tools } = await client.client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(['desktop_screenshot', 'desktop_windows', 'list_workspace', 'read_workspace_file', 'workspace_status'])
    expect(await client.value('workspace_status')).toMatchObject({ read_only: true })
    for (const [name, args] of [['run_workspace_command', { command: 'touch x' }], ['write_workspace_file', { path: 'x', content: '' }], ['delete_workspace_path', { path: '.' }]] as const) {
      expect(await client.call(name, args)).toMatchObject({ isError: true, text: expect.stringMatching(/not found/) })
    }
    expect(existsSync(join(project, 'x'))).toBe(false)
    await client.close()
  })

  test('finds its token in a file that is made for its owner alone', async () => {
    const file = join(world.folder, 'token')
    const other = await startHttp(world, ['--project', project, '--token-file', file])
    try {
      expect(other.stderr()).not.toContain('shown this once')
      expect(statSync(file).mode & 0o777).toBe(0o600)
      const token = readFileSync(file, 'utf8').trim()
      expect(other.stderr()).not.toContain(token)
      expect(await other.raw({ headers: { authorization: `Bearer ${token}` }, body: initialize })).toMatchObject({ status: 200 })
      expect(await other.raw({ headers: { authorization: `Bearer ${server.token}` }, body: initialize })).toMatchObject({ status: 401 })
    } finally {
      await other.stop()
    }
  })
})

describe('the sandbox', () => {
  const runningOn = async (folder: string) => (await world.ls()).filter(({ project: own, state }) => own === folder && state === 'running')
  const minimal = (folder: string) => openStdio(world, ['--project', folder, '--profile', 'minimal'])

  test('of the project is used and goes on', async () => {
    const [sandbox] = await runningOn(project)
    const client = await openStdio(world, ['--sandbox', sandbox!.id.slice(0, 12)])
    expect(await client.value('workspace_status')).toMatchObject({ sandbox_id: sandbox!.id.slice(0, 12) })
    await client.close()
    expect(await runningOn(project)).toEqual([expect.objectContaining({ id: sandbox!.id })])
  })

  test('is the newest of several, and its person is told which', async () => {
    const [older] = await runningOn(project)
    const newer = await startSandbox(world, 'minimal', project)
    const client = await openStdio(world, ['--project', project])
    try {
      expect(await client.value('workspace_status')).toMatchObject({ sandbox_id: newer.slice(0, 12) })
      expect(client.stderr()).toContain(`2 sandboxes run on this project; the newest, ${newer.slice(0, 12)}, is worked in. --sandbox takes another: ${older!.id.slice(0, 12)}.`)
    } finally {
      await client.close()
      await world.podman(['rm', '--force', '--time', '0', newer])
    }
  })

  test('is launched when a tool is first called, with a word on how it goes, and ends with its last user', async () => {
    const folder = world.project('on demand')
    const first = await minimal(folder)
    const { tools } = await first.client.listTools()
    expect(tools.map(({ name }) => name).filter((name) => name.startsWith('desktop_'))).toEqual([])
    expect(await runningOn(folder)).toEqual([])
    const told: string[] = []
    const [answer, twin] = await Promise.all([first.call('run_workspace_command', { command: 'echo hi > made; echo hi' }, { onProgress: (message) => told.push(message) }), first.call('list_workspace')])
    expect(answer.value).toMatchObject({ stdout: 'hi\n' })
    expect(twin.isError).toBe(false)
    expect(told).toContain('Launching minimal')
    expect(readFileSync(join(folder, 'made'), 'utf8')).toBe('hi\n')
    const second = await minimal(folder)
    await second.value('list_workspace')
    const [sandbox, ...others] = await runningOn(folder)
    expect(others).toEqual([])
    await first.close()
    expect(await second.value('run_workspace_command', { command: 'cat made' })).toMatchObject({ stdout: 'hi\n' })
    expect(await runningOn(folder)).toEqual([expect.objectContaining({ id: sandbox!.id })])
    await second.close()
    await until('it has ended', async () => (await runningOn(folder)).length === 0)
    expect(readdirSync(world.launchesFolder).map((name) => readFileSync(join(world.launchesFolder, name, 'container-id'), 'utf8').trim())).not.toContain(sandbox!.id)
  })

  test('outlives a server that is killed, for the next one', async () => {
    const folder = world.project('killed server')
    const first = await minimal(folder)
    await first.value('list_workspace')
    const [sandbox] = await runningOn(folder)
    process.kill(first.pid, 'SIGKILL')
    await first.close()
    const second = await minimal(folder)
    expect(await second.value('workspace_status')).toMatchObject({ sandbox_id: sandbox!.id.slice(0, 12) })
    await second.close()
    await until('it has ended', async () => (await runningOn(folder)).length === 0)
  })

  test('ends when the client that it was launched for is gone without a word', async () => {
    const folder = world.project('gone client')
    const client = startBareClient(world, ['--project', folder, '--profile', 'minimal'])
    client.send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'bare', version: '1' } } })
    client.send({ method: 'notifications/initialized' })
    client.send({ id: 2, method: 'tools/call', params: { name: 'run_workspace_command', arguments: { command: 'touch here; sleep 1000', timeout_seconds: 300 }, _meta: { progressToken: 1 } } })
    await until('the command runs', () => existsSync(join(folder, 'here')))
    client.vanish()
    expect(await client.ended).toBe(0)
    expect(await runningOn(folder)).toEqual([])
  })

  test('that is killed ends the call with a reason, is not launched again, and the next one of the person’s is used', async () => {
    const folder = world.project('doomed')
    const client = await minimal(folder)
    await client.value('list_workspace')
    const [sandbox] = await runningOn(folder)
    const call = client.call('run_workspace_command', { command: 'touch under-way; sleep 1000' })
    await until('it is under way', () => existsSync(join(folder, 'under-way')))
    await world.podman(['rm', '--force', '--time', '0', sandbox!.id])
    expect(await call).toMatchObject({ isError: true, text: expect.stringMatching(/connection to sandbox \w+ broke|did not say how the program ended/) })
    expect(await client.call('list_workspace')).toMatchObject({ isError: true, text: expect.stringMatching(/has ended, and is not launched again.*paddock run/) })
    expect(await runningOn(folder)).toEqual([])
    const next = await startSandbox(world, 'minimal', folder)
    expect(await client.value('workspace_status')).toMatchObject({ sandbox_id: next.slice(0, 12) })
    await client.close()
    expect(await runningOn(folder)).toHaveLength(1)
  })

  test('of plain Podman has no channel, which is said, and is left alone', async () => {
    const folder = world.project('plain')
    const { stdout } = await world.podman(['run', '--detach', '--rm', '--user', 'ai', '--userns', 'keep-id:uid=1000,gid=1000', '--volume', `${folder}:/home/ai/sandbox`, 'localhost/paddock:minimal', 'sleep', 'infinity'])
    const { code, stderr } = await world.paddock(['mcp', '--sandbox', stdout.trim()])
    expect(code, stderr).toBe(125)
    expect(stderr).toMatch(/cannot be reached from here: it was started by plain Podman/)
    const told: string[] = []
    const client = await minimal(folder)
    await client.call('list_workspace', {}, { onProgress: (message) => told.push(message) })
    expect(told).toContainEqual(expect.stringMatching(/is left alone: it was started by plain Podman/))
    await client.close()
    expect(await runningOn(folder)).toEqual([expect.objectContaining({ id: stdout.trim() })])
  })

  test('is not launched without the consent that a launch needs, nor with less isolation than asked for', async () => {
    world.profile('e2e-mcp-power', onMinimal((label) => label.replace('--cap-drop ALL', '--cap-drop ALL --cap-add NET_ADMIN')))
    const folder = world.project('power')
    const power = await openStdio(world, ['--project', folder, '--profile', 'e2e-mcp-power'])
    expect(await power.call('list_workspace')).toMatchObject({ isError: true, text: expect.stringMatching(/more power.*--accept-findings.*\(findings-not-accepted\)/) })
    await power.close()
    const microvm = await openStdio(world, ['--project', project, '--profile', 'minimal', '--isolation', 'microvm'])
    expect(await microvm.call('list_workspace')).toMatchObject({ isError: true, text: expect.stringMatching(/cannot run one.*\(isolation-unavailable\)/) })
    await microvm.close()
    expect(await runningOn(folder)).toEqual([])
  })

  test('says when there is no space, and leaves no part of a file', async () => {
    world.profile('e2e-mcp-small', onMinimal((label) => label.replace('--pids-limit', '--tmpfs /home/ai/sandbox/small:rw,size=256k,mode=1777 --pids-limit')))
    const client = await openStdio(world, ['--project', world.project('small'), '--profile', 'e2e-mcp-small', '--accept-findings'])
    try {
      expect(await client.call('write_workspace_file', { path: 'small/large', content: 'x'.repeat(500_000) })).toMatchObject({ isError: true, text: expect.stringMatching(/no space left.*nothing was written/) })
      expect(await client.value('run_workspace_command', { command: 'ls -A small' })).toMatchObject({ stdout: '' })
      expect(await client.value('write_workspace_file', { path: 'small/fits', content: 'x'.repeat(100_000) })).toMatchObject({ size_bytes: 100_000 })
      expect(await client.call('write_workspace_file', { path: 'small/fits', content: 'y'.repeat(200_000), overwrite: true })).toMatchObject({ isError: true })
      expect((await client.value('read_workspace_file', { path: 'small/fits', length: 200_000 })).content).toBe('x'.repeat(100_000))
    } finally {
      await client.close()
    }
  })

  test.each([
    [['--sandbox', 'ffffffffffff'], 2, /ffffffffffff is gone/],
    [['--project', '/no/such'], 2, /cannot be the project/],
    [['--sandbox', 'x', '--project', '.'], 2, /cannot be used with/],
    [['--token-file', 'x'], 2, /belong to --http/],
    [['--port', '7441'], 2, /belong to --http/],
    [['--http', '--port', 'x'], 2, /number from 0/],
  ])('a wrong use is told at once: %j', async (args, code, why) => {
    const ended = await world.paddock(['mcp', ...args])
    expect(ended.code).toBe(code)
    expect(ended.stderr).toMatch(why)
    expect(ended.stdout).toBe('')
  })
})
