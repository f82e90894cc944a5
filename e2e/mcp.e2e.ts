import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSandbox } from './fixtures/guest.ts'
import { type McpClient, type McpHttp, openStdio, startHttp } from './fixtures/mcp.ts'
import { createWorld, until, type World } from './harness.ts'

let world: World
let project: string
let mcp: McpClient

beforeAll(async () => {
  world = createWorld('mcp')
  project = world.project()
  const { code, stderr } = await world.paddock(['build', 'minimal'])
  expect(code, stderr).toBe(0)
  await startSandbox(world, 'minimal', project)
  mcp = await openStdio(world, ['--project', project])
})
afterAll(async () => {
  await mcp?.close()
  await world?.dispose()
})

const desktopTools = ['click', 'drag', 'key', 'launch', 'screenshot', 'scroll', 'type', 'windows'].map((name) => `desktop_${name}`)
const sh = (command: string, more: Record<string, unknown> = {}) => mcp.value('run_workspace_command', { command, ...more })
const at = (...names: string[]) => join(project, ...names)

describe.each(['stdin and stdout', 'HTTP'])('over %s', (way) => {
  let server: McpHttp | undefined
  let client: McpClient

  beforeAll(async () => {
    if (way === 'HTTP') server = await startHttp(world, ['--project', project])
    client = server ? await server.connect() : await openStdio(world, ['--project', project])
  })
  afterAll(async () => {
    await client?.close()
    if (server) expect(await server.stop()).toBe(0)
  })

  test('a client finds fourteen tools, with their limits in the schemas', async () => {
    const { tools } = await client.client.listTools()
    expect(tools.map(({ name }) => name).sort()).toEqual(['delete_workspace_path', ...desktopTools, 'list_workspace', 'read_workspace_file', 'run_workspace_command', 'workspace_status', 'write_workspace_file'])
    const properties = (name: string) => tools.find((tool) => tool.name === name)!.inputSchema.properties as Record<string, Record<string, unknown>>
    expect(properties('read_workspace_file').length).toMatchObject({ maximum: 1_048_576, default: 65_536 })
    expect(properties('run_workspace_command').timeout_seconds).toMatchObject({ maximum: 300 })
    expect(properties('list_workspace').depth).toMatchObject({ minimum: 1, maximum: 8 })
    for (const { inputSchema, annotations } of tools) expect({ closed: inputSchema.additionalProperties, annotations }).toMatchObject({ closed: false, annotations: { readOnlyHint: expect.any(Boolean) } })
  })

  test('all of them work on the project', async () => {
    const status = await client.value('workspace_status')
    expect(status).toMatchObject({ workspace: '/home/ai/sandbox', profile: 'minimal', isolation: 'container', egress: 'open', read_only: false, limits: { commands_at_once: 4, read_bytes: 1_048_576 } })
    expect(status.disk.free_bytes).toBeGreaterThan(0)
    expect(status.caps).toMatchObject({ ram_mib: 2048, pids: 512 })

    expect(await client.value('write_workspace_file', { path: 'deep/er/ü.txt', content: 'grüße\n', create_parents: true })).toEqual({ path: 'deep/er/ü.txt', size_bytes: 8, replaced: false })
    expect(readFileSync(at('deep/er/ü.txt'), 'utf8')).toBe('grüße\n')
    expect(await client.value('read_workspace_file', { path: 'deep/er/ü.txt' })).toMatchObject({ encoding: 'text', content: 'grüße\n', total_bytes: 8, next_offset: null })
    const { entries } = await client.value('list_workspace', { path: 'deep', depth: 2 })
    expect(entries.map(({ path, type }: { path: string; type: string }) => `${type} ${path}`)).toEqual(['folder er', 'file er/ü.txt'])
    expect(await client.value('run_workspace_command', { command: 'pwd; id -un; echo err >&2; exit 7' })).toMatchObject({ exit_code: 7, signal: null, stdout: '/home/ai/sandbox\nai\n', stderr: 'err\n', timed_out: false })
    expect(await client.value('delete_workspace_path', { path: 'deep', recursive: true })).toEqual({ path: 'deep', type: 'folder' })
    expect(existsSync(at('deep'))).toBe(false)
  })

  test('a misspelt or oversized argument is told', async () => {
    expect(await client.call('read_workspace_file', { path: 'a', lenght: 5 })).toMatchObject({ isError: true, text: expect.stringContaining('lenght') })
    expect(await client.call('read_workspace_file', { path: 'a', length: 1_048_577 })).toMatchObject({ isError: true, text: expect.stringContaining('1048576') })
    expect(await client.call('run_workspace_command', { command: 'true', timeout_seconds: 301 })).toMatchObject({ isError: true, text: expect.stringContaining('300') })
  })

  test('progress is told to who asks for it', async () => {
    const told: string[] = []
    await client.call('run_workspace_command', { command: 'echo x; sleep 2.5' }, { onProgress: (message) => told.push(message) })
    expect(told).toContainEqual(expect.stringMatching(/^\d s, 2 bytes of output$/))
  })
})

describe('files', () => {
  test('are written whole or not at all, and replaced only when told', async () => {
    await mcp.value('write_workspace_file', { path: 'once', content: 'one' })
    expect(await mcp.call('write_workspace_file', { path: 'once', content: 'two' })).toMatchObject({ isError: true, text: expect.stringMatching(/overwrite: true/) })
    expect(readFileSync(at('once'), 'utf8')).toBe('one')
    writeFileSync(at('script'), 'old', { mode: 0o755 })
    expect(await mcp.value('write_workspace_file', { path: 'script', content: 'AAEC/w==', encoding: 'base64', overwrite: true })).toMatchObject({ replaced: true, size_bytes: 4 })
    expect([...readFileSync(at('script'))]).toEqual([0, 1, 2, 255])
    expect(statSync(at('script')).mode & 0o777).toBe(0o755)
    expect(await mcp.call('write_workspace_file', { path: 'no/such/file', content: 'x' })).toMatchObject({ isError: true, text: expect.stringMatching(/create_parents/) })
    expect(await mcp.call('write_workspace_file', { path: 'bad', content: 'no base64!', encoding: 'base64' })).toMatchObject({ isError: true, text: expect.stringMatching(/not base64/) })
    expect(readdirSync(project).filter((name) => name.startsWith('.paddock-'))).toEqual([])
  })

  test('are read in parts, as text or base64', async () => {
    const text = 'ä'.repeat(1_000)
    writeFileSync(at('umlauts'), text)
    let got = ''
    for (let offset: number | null = 0; offset !== null; ) {
      const part: Record<string, any> = await mcp.value('read_workspace_file', { path: 'umlauts', offset, length: 333 }) // eslint-disable-line @typescript-eslint/no-explicit-any
      expect(part.encoding).toBe('text')
      got += part.content
      offset = part.next_offset
    }
    expect(got).toBe(text)
    writeFileSync(at('binary'), Buffer.from([1, 0, 2]))
    expect(await mcp.value('read_workspace_file', { path: 'binary' })).toMatchObject({ encoding: 'base64', content: 'AQAC' })
    expect(await mcp.call('read_workspace_file', { path: 'binary', encoding: 'text' })).toMatchObject({ isError: true, text: expect.stringMatching(/no text/) })
    expect((await mcp.call('read_workspace_file', { path: 'missing' })).text).toBe('There is nothing at this path. list_workspace tells what is there. (workspace-refused)')
    writeFileSync(at('empty'), '')
    expect(await mcp.value('read_workspace_file', { path: 'empty' })).toMatchObject({ encoding: 'text', content: '', next_offset: null })
    expect(await mcp.value('read_workspace_file', { path: 'empty', offset: 99 })).toMatchObject({ content: '', next_offset: null })
  })

  test('of any size can be read in the middle', async () => {
    writeFileSync(at('huge'), '')
    truncateSync(at('huge'), 6 * 1024 ** 3)
    const part = await mcp.value('read_workspace_file', { path: 'huge', offset: 5 * 1024 ** 3, length: 10 })
    expect(part).toMatchObject({ total_bytes: 6 * 1024 ** 3, next_offset: 5 * 1024 ** 3 + 10, encoding: 'base64', content: Buffer.alloc(10).toString('base64') })
    await mcp.value('delete_workspace_path', { path: 'huge' })
  })

  test('are listed in pages that leave nothing out, and links are not followed', async () => {
    mkdirSync(at('many/a'), { recursive: true })
    for (let index = 0; index < 25; index++) writeFileSync(at('many', index % 2 ? 'a' : '.', `f${index}`), 'x')
    symlinkSync('a', at('many/link'))
    const whole = await mcp.value('list_workspace', { path: 'many', depth: 3 })
    expect(whole.entries).toHaveLength(27)
    expect(whole.entries.find(({ path }: { path: string }) => path === 'link')).toMatchObject({ type: 'link' })
    const paged = []
    let cursor: string | null = null
    do {
      const page: Record<string, any> = await mcp.value('list_workspace', { path: 'many', depth: 3, limit: 4, ...(cursor !== null && { cursor }) }) // eslint-disable-line @typescript-eslint/no-explicit-any
      expect(page.truncated).toBe(page.next_cursor !== null)
      paged.push(...page.entries)
      cursor = page.next_cursor
    } while (cursor !== null)
    expect(paged).toEqual(whole.entries)
    expect((await mcp.value('list_workspace', { path: 'many' })).entries.map(({ path }: { path: string }) => path)).not.toContain('a/f1')
  })

  test('go only as far as was said', async () => {
    mkdirSync(at('full/inner'), { recursive: true })
    writeFileSync(at('full/inner/file'), 'x')
    expect(await mcp.call('delete_workspace_path', { path: 'full' })).toMatchObject({ isError: true, text: expect.stringMatching(/recursive: true/) })
    expect(await mcp.call('delete_workspace_path', { path: '.', recursive: true })).toMatchObject({ isError: true, text: expect.stringMatching(/workspace itself/) })
    expect(await mcp.value('delete_workspace_path', { path: 'full/inner/file' })).toMatchObject({ type: 'file' })
    expect(await mcp.value('delete_workspace_path', { path: 'full/inner' })).toMatchObject({ type: 'folder' })
    expect(await mcp.call('delete_workspace_path', { path: 'full/inner' })).toMatchObject({ isError: true, text: expect.stringMatching(/nothing at this path/) })
  })
})

describe('what leads out of the workspace', () => {
  test.each(['/etc/passwd', '../x', 'a/../../x', '..', 'a\0b', '//etc/passwd'])('%j is refused by every tool', async (path) => {
    for (const [tool, more] of [['read_workspace_file', {}], ['list_workspace', {}], ['write_workspace_file', { content: 'x', overwrite: true, create_parents: true }], ['delete_workspace_path', { recursive: true }]] as const) {
      expect(await mcp.call(tool, { path, ...more }), tool).toMatchObject({ isError: true })
    }
  })

  test('links to files and folders elsewhere are not followed, and those inside are', async () => {
    await sh('mkdir -p /var/tmp/outside /home/ai/.ssh; echo secret > /var/tmp/outside/key')
    await sh('mkdir -p in/side; echo mine > in/side/file; ln -sf /etc/passwd passwd; ln -sfn ../.ssh ssh; ln -sfn /var/tmp/outside out; ln -sfn in/../../outside up; ln -sfn side in/link; ln -sfn ../in/link/file in/far; ln -sfn loop loop; ln -sfn /home/ai/sandbox absolute')
    for (const path of ['passwd', 'ssh', 'ssh/id', 'out', 'out/key', 'up', 'up/x', 'absolute/in/side/file']) {
      for (const [tool, more] of [['read_workspace_file', {}], ['list_workspace', {}], ['write_workspace_file', { content: 'x', overwrite: true, create_parents: true }]] as const) {
        expect(await mcp.call(tool, { path, ...more }), `${tool} ${path}`).toMatchObject({ isError: true, text: expect.stringMatching(/leads out of the workspace/) })
      }
    }
    for (const path of ['out/key', 'ssh/id']) expect(await mcp.call('delete_workspace_path', { path })).toMatchObject({ isError: true })
    expect(await mcp.call('read_workspace_file', { path: 'loop/x' })).toMatchObject({ isError: true, text: expect.stringMatching(/circle/) })
    expect(await mcp.value('read_workspace_file', { path: 'in/link/file' })).toMatchObject({ content: 'mine\n' })
    expect(await mcp.value('read_workspace_file', { path: 'in/far' })).toMatchObject({ content: 'mine\n' })
    // The link goes, not what it leads to.
    expect(await mcp.value('delete_workspace_path', { path: 'out', recursive: true })).toMatchObject({ type: 'link' })
    expect(await sh('cat /var/tmp/outside/key; ls -A /home/ai/.ssh')).toMatchObject({ stdout: 'secret\n' })
  })

  test('a folder that is swapped for a link all the while leads nowhere', async () => {
    await sh('rm -rf /var/tmp/outside; mkdir -p /var/tmp/outside/sub swap/d/sub; echo secret | tee /var/tmp/outside/file /var/tmp/outside/sub/file; echo mine | tee swap/d/file swap/d/sub/file')
    const stop = new AbortController()
    const swapper = mcp.call('run_workspace_command', { command: 'cd swap; touch ready; while :; do mv d e; ln -s /var/tmp/outside d; rm d; mv e d; done', timeout_seconds: 300 }, { signal: stop.signal }).catch(() => {})
    await until('it swaps', () => existsSync(at('swap/ready')))
    const seen = { inside: 0, refused: 0 }
    for (let round = 0; round < 150; round++) {
      for (const path of ['swap/d/file', 'swap/d/sub/file']) {
        const { isError, value } = await mcp.call('read_workspace_file', { path })
        if (!isError) expect(value.content).toBe('mine\n')
        seen[isError ? 'refused' : 'inside']++
      }
      await mcp.call('write_workspace_file', { path: `swap/d/sub/new-${round}`, content: 'planted' })
      await mcp.call('delete_workspace_path', { path: 'swap/d/sub', recursive: round % 10 === 9 })
      await mcp.call('write_workspace_file', { path: 'swap/d/sub/file', content: 'mine\n', create_parents: true, overwrite: true })
    }
    stop.abort()
    await swapper
    // Both were met, or nothing was tried.
    expect(seen.inside).toBeGreaterThan(0)
    expect(seen.refused).toBeGreaterThan(0)
    expect(await sh('cd /var/tmp/outside && find . -type f | sort && cat file sub/file')).toMatchObject({ stdout: './file\n./sub/file\nsecret\nsecret\n' })
  })

  test('a pipe keeps nothing waiting', async () => {
    await sh('mkfifo pipe')
    expect(await mcp.call('read_workspace_file', { path: 'pipe' })).toMatchObject({ isError: true, text: expect.stringMatching(/pipe, socket or device/) })
    expect(await mcp.call('write_workspace_file', { path: 'pipe', content: 'x', overwrite: true })).toMatchObject({ isError: true })
    expect((await mcp.value('list_workspace')).entries).toContainEqual(expect.objectContaining({ path: 'pipe', type: 'other' }))
    expect(await mcp.value('delete_workspace_path', { path: 'pipe' })).toMatchObject({ type: 'other' })
  })
})

describe('commands', () => {
  const running = async (mark: string) => (await sh(`cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -o 'sleep ${mark}' | wc -l`)).stdout.trim()

  test('leave nothing behind, however it hides', async () => {
    await sh('sleep 1111 & setsid -f sleep 1111; (setsid sh -c "trap \\"\\" TERM HUP; sleep 1111; sleep 1111" &) ; exit 0')
    // Its own command line holds the mark once more, as text.
    expect(await running('11[1]1')).toBe('0')
  })

  test('end by signals, or after their time even if they ignore that', async () => {
    expect(await sh('kill -SEGV $$')).toMatchObject({ exit_code: null, signal: 'SIGSEGV' })
    expect(await sh('kill -9 $$')).toMatchObject({ exit_code: null, signal: 'SIGKILL', timed_out: false })
    const late = await sh('trap "" TERM INT HUP; while :; do sleep 0.1; done', { timeout_seconds: 1 })
    expect(late).toMatchObject({ exit_code: null, signal: 'SIGKILL', timed_out: true, note: expect.stringMatching(/after 1 s/) })
    expect(late.duration_ms).toBeLessThan(20_000)
    expect(await sh('trap "echo bye; exit 5" TERM; while :; do sleep 0.1; done', { timeout_seconds: 1 })).toMatchObject({ exit_code: 5, timed_out: true, stdout: 'bye\n' })
  })

  test('have no input, and codes of their own', async () => {
    expect(await sh('cat; echo "$?"')).toMatchObject({ stdout: '0\n' })
    expect(await sh('no-such-program')).toMatchObject({ exit_code: 127 })
    expect(await sh('exit 255')).toMatchObject({ exit_code: 255 })
    expect(await mcp.call('run_workspace_command', { command: 'a\0b' })).toMatchObject({ isError: true, text: expect.stringMatching(/NUL/) })
    expect(await sh(`printf %s '${'x'.repeat(32_000)}' | wc -c`)).toMatchObject({ stdout: '32000\n' })
  })

  test('print as much as they like, and the middle is left out', async () => {
    const long = await sh('echo first; head -c 3000000 /dev/zero | tr "\\0" x; echo; echo last; head -c 3000000 /dev/zero >&2', { max_output_bytes: 2_000 })
    expect(long.stdout).toMatch(/^first\nx+\n\[… \d+ bytes left out …\]\nx+\nlast\n$/)
    expect(long.stdout_omitted_bytes).toBe(3_000_012 - 2_000)
    expect(long.stderr_omitted_bytes).toBe(3_000_000 - 2_000)
    const flood = await sh('yes', { timeout_seconds: 120 })
    expect(flood).toMatchObject({ timed_out: false, note: expect.stringMatching(/more than 67108864 bytes/) })
  })

  test('are cancelled with the call', async () => {
    const cancel = new AbortController()
    const call = mcp.call('run_workspace_command', { command: 'touch cancel-me; setsid sleep 2222; sleep 2222' }, { signal: cancel.signal })
    await until('it runs', () => existsSync(at('cancel-me')))
    cancel.abort()
    await expect(call).rejects.toThrow()
    await until('nothing of it runs', async () => (await running('22[2]2')) === '0')
  })

  test('run four at once, and no fifth', async () => {
    const four = [1, 2, 3, 4].map((number) => sh(`touch started-${number}; until [ -e go ]; do sleep 0.05; done; echo ${number}`))
    await until('four run', () => [1, 2, 3, 4].every((number) => existsSync(at(`started-${number}`))))
    expect(await mcp.call('run_workspace_command', { command: 'true' })).toMatchObject({ isError: true, text: expect.stringMatching(/4 commands run already/) })
    // Files are no commands.
    await mcp.value('write_workspace_file', { path: 'go', content: '' })
    expect((await Promise.all(four)).map(({ stdout }) => stdout)).toEqual(['1\n', '2\n', '3\n', '4\n'])
    expect(await sh('true')).toMatchObject({ exit_code: 0 })
  })

  test('that kill what serves the files cost one call at most', async () => {
    writeFileSync(at('still'), 'here')
    await mcp.value('read_workspace_file', { path: 'still' })
    await sh('for p in /proc/[0-9]*; do if tr "\\0" " " < $p/cmdline 2>/dev/null | grep -q "Serves the files [o]f one folder"; then kill -9 ${p#/proc/}; fi; done')
    const { content } = await until('files are served again', async () => {
      const { isError, value } = await mcp.call('read_workspace_file', { path: 'still' })
      return !isError && value
    })
    expect(content).toBe('here')
  })
})
