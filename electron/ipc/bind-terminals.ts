import { ipcMain, type MessagePortMain } from 'electron'
import * as z from 'zod/mini'
import type { TerminalDown } from '../../shared/contract/window-contract.ts'
import type { Terminals } from '../core/terminals/terminals.ts'
import type { Terminal } from '../core/terminals/terminal.ts'
import { channels } from './channels.ts'
import { isOwnPage } from './check-sender.ts'

/** A paste may be large; what is larger than this is no typing. */
const maxInput = 16 * 1024 * 1024
const maxCells = 2_000

const upSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('input'), data: z.string().check(z.maxLength(maxInput)) }),
  z.object({ type: z.literal('resize'), cols: z.int().check(z.minimum(1), z.maximum(maxCells)), rows: z.int().check(z.minimum(1), z.maximum(maxCells)) }),
  z.object({ type: z.literal('taken'), bytes: z.int().check(z.minimum(0)) }),
])

/** Gives each terminal that the window opens a port of its own, so that bytes never ride on calls. */
export function bindTerminals(terminals: Terminals): void {
  ipcMain.on(channels.terminal, (event, terminalId: unknown) => {
    const [port] = event.ports
    if (!port) return
    const terminal = isOwnPage(event) && typeof terminalId === 'string' ? terminals.find(terminalId) : undefined
    if (terminal) connectPort(port, terminal)
    else closeUnknown(port)
  })
}

function connectPort(port: MessagePortMain, terminal: Terminal): void {
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
