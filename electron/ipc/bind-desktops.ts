import type { IpcMain, MessagePortMain } from 'electron'
import * as z from 'zod/mini'
import type { DesktopDown } from '../../shared/contract/desktop-contract.ts'
import { type ErrorReport, toErrorReport } from '../../shared/errors/paddock-error.ts'
import type { ScreenStream } from '../core/desktops/open-screen.ts'
import { channels } from './channels.ts'
import type { Senders } from './check-sender.ts'

/** The greatest paste, as VNC has it. */
const maxPiece = 4 * 1024 * 1024
/** More than a person looks at; each costs a connection into a sandbox. */
const maxScreens = 32

const tooMany: ErrorReport = { code: 'desktop-unavailable', message: `${maxScreens} desktops are shown already.`, hint: 'Hide some of them: one that is hidden is not connected.' }

const upSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('data'), data: z.instanceof(Uint8Array).check(z.refine((data) => data.byteLength <= maxPiece)) }),
  z.object({ type: z.literal('taken'), bytes: z.int().check(z.minimum(0)) }),
])

type Open = (sandboxId: string, onData: (data: Uint8Array) => void, signal: AbortSignal) => Promise<ScreenStream>

/** Gives each desktop that the window shows a port of its own, for the bytes of VNC alone. @param open connects to one */
export function bindDesktops(ipc: Pick<IpcMain, 'on'>, open: Open, senders: Senders): void {
  let count = 0
  ipc.on(channels.desktop, (event, sandboxId: unknown) => {
    const [port] = event.ports
    if (!port) return
    if (typeof sandboxId !== 'string' || !/^[0-9a-f]{64}$/.test(sandboxId) || !senders.mayShow(event, sandboxId)) return port.close()
    if (count >= maxScreens) {
      port.postMessage({ type: 'closed', error: tooMany } satisfies DesktopDown)
      return port.close()
    }
    count++
    port.once('close', () => count--)
    void serve(port, (onData, signal) => open(sandboxId, onData, signal))
  })
}

async function serve(port: MessagePortMain, open: (onData: (data: Uint8Array) => void, signal: AbortSignal) => Promise<ScreenStream>): Promise<void> {
  const send = (message: DesktopDown) => port.postMessage(message)
  const gone = new AbortController()
  let screen: ScreenStream | null = null
  port.on('close', () => {
    gone.abort()
    screen?.close()
  })
  port.on('message', ({ data }) => {
    const message = upSchema.safeParse(data)
    if (!message.success || screen === null) return
    if (message.data.type === 'data') screen.write(message.data.data)
    else screen.taken(message.data.bytes)
  })
  port.start()
  try {
    // A message costs as much as what is in it: what comes at once goes as one.
    let waiting: Uint8Array[] = []
    const flush = () => {
      if (waiting.length > 0) send({ type: 'data', data: join(waiting) })
      waiting = []
    }
    const forward = (data: Uint8Array) => {
      // The server speaks first, perhaps before it is known that it can be spoken to.
      if (waiting.push(data) === 1 && screen !== null) setImmediate(flush)
    }
    screen = await open(forward, gone.signal)
    if (gone.signal.aborted) return screen.close()
    send({ type: 'open' })
    flush()
    const reason = await screen.closed
    flush()
    send({ type: 'closed', error: reason?.report ?? null })
  } catch (error) {
    send({ type: 'closed', error: toErrorReport(error) })
  }
}

/** A copy: with a part of a larger buffer all of that would cross. */
function join(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.byteLength
  }
  return joined
}
