import type { TerminalDown } from '../../shared/contract/window-contract.ts'
import type { TerminalStream } from '../api/api.ts'

const agentScreen = [
  '\u001b[32mai@paddock\u001b[0m \u001b[34m~/sandbox\u001b[0m $ claude',
  '',
  '\u001b[1mClaude Code\u001b[0m  in ~/sandbox',
  '',
  '> add a retry with backoff to the upload client',
  '',
  '\u001b[32m●\u001b[0m I’ll look at the client first.',
  '\u001b[90m  Read src/upload/client.ts (142 lines)\u001b[0m',
  '\u001b[32m●\u001b[0m Two callers expect it to throw at once, so the retry goes into a wrapper.',
  '\u001b[90m  Update src/upload/retry.ts\u001b[0m',
  '  \u001b[32m+ export async function withRetry<T>(work: () => Promise<T>, attempts = 3): Promise<T> {\u001b[0m',
  '  \u001b[31m- return work()\u001b[0m',
  '\u001b[33m▲\u001b[0m 1 test is slow: upload.test.ts (2.1 s)   docs: https://example.org/backoff',
  '',
  '> ',
].join('\r\n')

const prompt = '\u001b[32mai@paddock\u001b[0m:\u001b[34m~/sandbox\u001b[0m$ '

const shellScreens = [
  [
    `${prompt}npm run dev`,
    '',
    '> api-server@1.4.0 dev',
    '> node --watch src/server.ts',
    '',
    '\u001b[32mListening on http://localhost:3000\u001b[0m',
    '\u001b[90m12:04:11\u001b[0m GET  /health          200    1 ms',
    '\u001b[90m12:04:19\u001b[0m POST /upload          201   84 ms',
    '\u001b[90m12:04:22\u001b[0m POST /upload          \u001b[31m503\u001b[0m  211 ms',
    '',
  ],
  [
    `${prompt}git status --short`,
    ' \u001b[31mM\u001b[0m src/upload/client.ts',
    '\u001b[31m??\u001b[0m src/upload/retry.ts',
    `${prompt}npx vitest run upload`,
    '',
    ' \u001b[32m✓\u001b[0m src/upload/upload.test.ts \u001b[90m(14 tests)\u001b[0m',
    '',
    ' Tests  \u001b[32m14 passed\u001b[0m (14)',
    prompt,
  ],
].map((lines) => lines.join('\r\n'))

/** The sandbox's own terminal has an agent at work; its shells have what is beside one. */
function screenOf(terminalId: string): string {
  const number = Number(/^shell (\d+)$/.exec(terminalId)?.[1] ?? 0)
  return number === 0 ? agentScreen : shellScreens[(number - 1) % shellScreens.length]!
}

const encoder = new TextEncoder()

/** A terminal that shows what somebody is at, and echoes what is typed; `exit` ends it with code 3. */
export function openFakeTerminal(terminalId: string, onMessage: (message: TerminalDown) => void): TerminalStream {
  let typed = ''
  queueMicrotask(() => onMessage({ type: 'replay', data: screenOf(terminalId), cols: 100, rows: 30 }))
  return {
    send(message) {
      if (message.type !== 'input') return
      typed += message.data
      onMessage({ type: 'data', data: encoder.encode(message.data.replaceAll('\r', '\r\n')) })
      if (typed.endsWith('exit\r')) onMessage({ type: 'exit', exitCode: 3 })
    },
    close() {},
  }
}
