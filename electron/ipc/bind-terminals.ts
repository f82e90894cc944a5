import { ipcMain, type MessagePortMain } from 'electron'
import * as z from 'zod/mini'
import { type TerminalDown, terminalSizeSchema } from '../../shared/contract/window-contract.ts'
import type { Terminal } from '../core/terminals/terminal.ts'
import { channels } from './channels.ts'
import type { Senders } from './check-sender.ts'

/** A paste may be large; what is larger than this is no typing. */
const maxInput = 16 * 1024 * 1024

const upSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('input'), data: z.string().check(z.maxLength(maxInput)) }),
  z.object({ type: z.literal('input-bytes'), data: z.string().check(z.maxLength(maxInput)) }),
  z.object({ type: z.literal('resize'), ...terminalSizeSchema.shape }),
  z.object({ type: z.literal('taken'), bytes: z.int().check(z.minimum(0)) }),
])

/** What a window can look at: a sandbox's own terminal, or a shell, which may be lost. */
type AnyTerminal = Terminal<number | null>

/** Gives each terminal that the window opens a port of its own, so that bytes never ride on calls. */
export function bindTerminals(find: (terminalId: string) => AnyTerminal | undefined, senders: Senders): void {
  ipcMain.on(channels.terminal, (event, terminalId: unknown) => {
    const [port] = event.ports
    if (!port) return
    const terminal = senders.isMain(event) && typeof terminalId === 'string' ? find(terminalId) : undefined
    if (terminal) connectPort(port, terminal)
    else closeUnknown(port)
  })
}

function connectPort(port: MessagePortMain, terminal: AnyTerminal): void {
  const send = (message: TerminalDown) => port.postMessage(message)
  const view = terminal.view({
    onReplay: (replay) => send({ type: 'replay', ...replay }),
    onData: (data) => send({ type: 'data', data }),
    onExit: (exitCode) => send({ type: 'exit', exitCode }),
  })
  port.on('message', ({ data }) => {
    const message = upSchema.safeParse(data)
    if (!message.success) return
    if (message.data.type === 'input') terminal.write(message.data.data)
    else if (message.data.type === 'input-bytes') terminal.write(Buffer.from(message.data.data, 'latin1'))
    else if (message.data.type === 'resize') terminal.resize(message.data.cols, message.data.rows)
    else view.taken(message.data.bytes)
  })
  port.on('close', () => view.close())
  port.start()
}

function closeUnknown(port: MessagePortMain): void {
  port.postMessage({ type: 'exit', exitCode: null } satisfies TerminalDown)
  port.close()
}
