import { spawn, type ChildProcess } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

/** The page of a program that speaks the DevTools protocol over a pipe: nothing waits for it, unlike Playwright's own start. */
export interface DevtoolsPage {
  /** Evaluates in the page and waits for the promise; asked again when the page went to another address meanwhile. */
  evaluate<T>(expression: string): Promise<T>
  /** Presses a key as if it came from the keyboard. */
  press(key: string): Promise<unknown>
}

/** A program started with a pipe. */
export interface PipedProgram {
  child: ChildProcess
  page: Promise<DevtoolsPage>
}

interface Message {
  id?: number
  method?: string
  params?: { sessionId: string; targetInfo: { type: string } }
  result?: { result?: { value?: unknown }; exceptionDetails?: { text: string; exception?: { description?: string } } }
  error?: { message: string }
}

/** Messages end with a NUL; Chromium reads descriptor 3 and writes 4: content/public/browser/devtools_agent_host.h. */
const end = '\0'
/** Whoever has not been ended by then hangs. */
const timeoutMs = 30_000

/** Starts Electron with a pipe to its DevTools. */
export function spawnWithDevtools([program, ...args]: readonly [string, ...string[]], env: NodeJS.ProcessEnv): PipedProgram {
  const child = spawn(program, [...args, '--remote-debugging-pipe'], { env, stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const [, , , input, output] = child.stdio as unknown as [null, null, null, Writable, Readable]
  const waiting = new Map<number, { resolve: (message: Message) => void; reject: (error: Error) => void }>()
  let lastId = 0
  const send = (method: string, params: object, sessionId?: string) =>
    new Promise<Message>((resolve, reject) => {
      waiting.set(++lastId, { resolve, reject })
      input.write(JSON.stringify({ id: lastId, method, params, sessionId }) + end)
    })

  const page = new Promise<DevtoolsPage>((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
    const fail = (error: Error) => {
      clearTimeout(timer)
      reject(error)
      for (const { reject: give } of waiting.values()) give(error)
    }
    child.once('error', fail)
    child.once('exit', (code, signal) => fail(new Error(`${program} ended with ${signal ?? code}`)))
    input.on('error', fail)
    let rest = ''
    output.setEncoding('utf8').on('data', (text: string) => {
      const messages = (rest + text).split(end)
      rest = messages.pop()!
      for (const message of messages.map((one) => JSON.parse(one) as Message)) {
        if (message.id !== undefined) {
          waiting.get(message.id)?.resolve(message)
          waiting.delete(message.id)
        } else if (message.method === 'Target.attachedToTarget' && message.params?.targetInfo.type === 'page') {
          resolve(createPage((method, params) => send(method, params, message.params!.sessionId)))
        }
      }
    })
  })
  void send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true }).catch(() => {})
  return { child, page }
}

function createPage(send: (method: string, params: object) => Promise<Message>): DevtoolsPage {
  return {
    async evaluate<T>(expression: string): Promise<T> {
      for (;;) {
        const { result, error } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
        if (result?.exceptionDetails) throw new Error(result.exceptionDetails.exception?.description ?? result.exceptionDetails.text)
        if (result) return result.result?.value as T
        if (!/context|navigated|collected/i.test(error?.message ?? '')) throw new Error(error?.message)
      }
    },
    async press(key) {
      await send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key, code: key, windowsVirtualKeyCode: key === 'F6' ? 117 : undefined })
      return send('Input.dispatchKeyEvent', { type: 'keyUp', key, code: key })
    },
  }
}
