import { describe, expect, it } from 'vitest'
import type { CommandResult } from '../core/workspace/run-command.ts'
import type { Workspace } from '../core/workspace/workspace.ts'
import { toolSchemas, toolsFor } from './tool-schemas.ts'
import { createTools } from './tools.ts'

const context = { signal: new AbortController().signal, tell: () => {} }
const modifiedAt = '2026-11-29T00:00:00.000Z'

/** Tools on one file that lies in memory. */
function toolsOn(file: Buffer, result?: Partial<CommandResult>) {
  const written: Buffer[] = []
  const workspace = {
    files: {
      read: async (_path: string, { offset, length }: { offset: number; length: number }) => ({ bytes: file.subarray(offset, offset + length), totalBytes: file.length, modifiedAt }),
      write: async (_path: string, bytes: Buffer) => {
        written.push(bytes)
        return { sizeBytes: bytes.length, hasReplaced: false }
      },
    },
    commands: { run: async () => ({ exitCode: 0, signal: null, endedFor: null, stdout: { text: '', omittedBytes: 0 }, stderr: { text: '', omittedBytes: 0 }, durationMs: 1, ...result }) },
  }
  return { tools: createTools(workspace as unknown as Workspace, false), written }
}

const read = (file: Buffer, input: Record<string, unknown> = {}) => toolsOn(file).tools.read_workspace_file(toolSchemas.read_workspace_file.input.parse({ path: 'f', ...input }), context)

describe('reading', () => {
  it('tells text from the rest by its bytes', async () => {
    expect(await read(Buffer.from('grüße'))).toMatchObject({ encoding: 'text', content: 'grüße', length: 7, next_offset: null })
    expect(await read(Buffer.from([0x61, 0]))).toMatchObject({ encoding: 'base64', content: 'YQA=' })
    expect(await read(Buffer.from([0xff, 0xfe]))).toMatchObject({ encoding: 'base64' })
    expect(await read(Buffer.from('abc'), { encoding: 'base64' })).toMatchObject({ encoding: 'base64', content: 'YWJj' })
    await expect(read(Buffer.from([0xff]), { encoding: 'text' })).rejects.toThrow(/no text/)
  })

  it('leaves a character that the range cuts for the next one', async () => {
    expect(await read(Buffer.from('a😀b'), { length: 4 })).toMatchObject({ encoding: 'text', content: 'a', length: 1, next_offset: 1 })
    expect(await read(Buffer.from('a😀b'), { offset: 1, length: 4 })).toMatchObject({ content: '😀', next_offset: 5 })
    // A file that ends within a character is none of text.
    expect(await read(Buffer.from('a😀').subarray(0, 3))).toMatchObject({ encoding: 'base64' })
  })

  it('always comes on, or says that it is at the end', async () => {
    expect(await read(Buffer.from('😀😀'), { length: 2 })).toMatchObject({ encoding: 'base64', length: 2, next_offset: 2 })
    expect(await read(Buffer.from('abc'), { offset: 3 })).toMatchObject({ content: '', next_offset: null })
    expect(await read(Buffer.from('abc'), { offset: 100 })).toMatchObject({ content: '', next_offset: null })
  })
})

describe('writing', () => {
  const write = (content: string, encoding: string) => {
    const { tools, written } = toolsOn(Buffer.alloc(0))
    return tools.write_workspace_file(toolSchemas.write_workspace_file.input.parse({ path: 'f', content, encoding }), context).then(() => written[0]!)
  }

  it('takes text and base64, padded or not', async () => {
    expect((await write('ü', 'text')).toString()).toBe('ü')
    for (const content of ['AAE=', 'AAE', 'AA\nE=']) expect([...(await write(content, 'base64'))]).toEqual([0, 1])
  })

  it.each(['no!', 'A', 'AAE=x'])('refuses "%s" as base64 instead of writing something else', async (content) => {
    await expect(write(content, 'base64')).rejects.toThrow(/not base64/)
  })
})

describe('running', () => {
  it('says why a command was ended', async () => {
    const run = (result: Partial<CommandResult>) => toolsOn(Buffer.alloc(0), result).tools.run_workspace_command(toolSchemas.run_workspace_command.input.parse({ command: 'x', timeout_seconds: 7 }), context)
    expect(await run({})).toMatchObject({ exit_code: 0, timed_out: false, note: null })
    expect(await run({ exitCode: null, signal: 'SIGKILL', endedFor: 'time' })).toMatchObject({ exit_code: null, signal: 'SIGKILL', timed_out: true, note: expect.stringContaining('7 s') })
    expect(await run({ endedFor: 'output' })).toMatchObject({ timed_out: false, note: expect.stringContaining('67108864') })
  })
})

describe('the schemas', () => {
  it.each([
    ['list_workspace', { depth: 9 }],
    ['list_workspace', { limit: 1_001 }],
    ['read_workspace_file', { path: 'a', length: 1_048_577 }],
    ['read_workspace_file', { path: 'a', offset: -1 }],
    ['read_workspace_file', { path: 'a', offset: 0.5 }],
    ['read_workspace_file', { path: 'x'.repeat(1_001) }],
    ['write_workspace_file', { path: 'a' }],
    ['write_workspace_file', { path: 'a', content: '', force: true }],
    ['run_workspace_command', { command: '' }],
    ['run_workspace_command', { command: 'x', timeout_seconds: 301 }],
    ['run_workspace_command', { command: 'x', max_output_bytes: 1_000_000 }],
    ['run_workspace_command', { command: 'x'.repeat(32_769) }],
    ['delete_workspace_path', {}],
  ] as const)('%s refuses what is beyond its limits: %j', (name, input) => {
    expect(toolSchemas[name].input.safeParse(input).success).toBe(false)
  })

  it('of what may only look are those that change nothing', () => {
    expect(toolsFor({ isReadOnly: true, hasDesktop: true })).toEqual(['workspace_status', 'list_workspace', 'read_workspace_file', 'desktop_screenshot', 'desktop_windows'])
    expect(toolsFor({ isReadOnly: false, hasDesktop: true })).toHaveLength(14)
    expect(toolsFor({ isReadOnly: true, hasDesktop: false })).toEqual(['workspace_status', 'list_workspace', 'read_workspace_file'])
  })
})
