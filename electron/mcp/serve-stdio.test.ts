import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { expect, it, vi } from 'vitest'
import type { McpJournal } from '../core/mcp/journal-writer.ts'
import type { Workspace } from '../core/workspace/workspace.ts'
import { serveStdio } from './serve-stdio.ts'

const journal = new Proxy({}, { get: () => () => {} }) as McpJournal
const offer = { isReadOnly: false, hasDesktop: true }

it('answers what is no message, and goes on', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const served = serveStdio({} as Workspace, { offer, journal, signal: new AbortController().signal, input, output })
  input.write('not json\n{"no":"message"}\n{"jsonrpc":"2.0","id":7,"method":"ping"}\n')
  const answers: unknown[] = []
  for await (const line of createInterface({ input: output })) if (answers.push(JSON.parse(line)) === 3) break
  expect(answers).toMatchObject([{ id: null, error: { code: -32700 } }, { id: null, error: { code: -32600 } }, { id: 7, result: {} }])
  input.end()
  await served
})

it('tells a client that sends too long a message why it is cut off', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const [input, output] = [new PassThrough(), new PassThrough()]
  const served = serveStdio({} as Workspace, { offer, journal, signal: new AbortController().signal, input, output })
  input.write('x'.repeat(9 * 1024 * 1024))
  await served
  expect(JSON.parse(String(output.read()))).toMatchObject({ id: null, error: { code: -32600, message: expect.stringContaining('8 MiB') } })
  expect(stderr).toHaveBeenCalledWith(expect.stringContaining('8 MiB'))
  stderr.mockRestore()
})
