import type { Command } from 'commander'
import { commandInWords } from '../../../shared/domain/port-rows.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { GuestChannel } from '../../core/guest/guest-channel.ts'
import { forwardPort, listPorts } from '../../core/guest/ports.ts'
import { printListing, printNote } from '../print.ts'
import type { CommandContext } from '../program.ts'
import { inGuest } from './guest.ts'

/** Adds `paddock ports`, which lists what listens in a sandbox and leads ports of this machine's loopback there. */
export function addPortsCommand(program: Command, { session, finish }: CommandContext): void {
  program
    .command('ports')
    .summary('list ports that listen in a sandbox, or reach one')
    .description('Lists TCP ports on which something in a running sandbox listens. With --forward leads ports of this machine’s loopback to them until Ctrl-C.')
    .argument('<id>', 'id or unique beginning of one')
    .option('-f, --forward <port[:local]>', 'port inside, and the one here (default: the same); can be given several times', (value: string, before: string[] = []) => [...before, value])
    .option('--json', 'print JSON')
    .action(async (id: string, { forward = [], json = false }: { forward?: string[]; json?: boolean }) => {
      const wanted = forward.map(parseForward)
      finish(await inGuest(session, id, async (guest) => {
        if (wanted.length > 0) return forwardAll(guest, wanted)
        printListing(await listPorts(guest), json, { PORT: ({ port }) => String(port), ADDRESS: ({ address }) => address, PROCESS: ({ process }) => (process === null ? '–' : commandInWords(process.command)) }, 'Nothing listens in it.')
        return 0
      }))
    })
}

const highestPort = 65_535

function parseForward(text: string): { port: number; local: number } {
  const [, inside, here] = /^(\d{1,5})(?::(\d{1,5}))?$/.exec(text) ?? []
  const port = Number(inside)
  const local = here === undefined ? port : Number(here)
  if (inside === undefined || port < 1 || port > highestPort || local > highestPort) {
    throw new PaddockError({ code: 'usage', message: `"${text}" names no port.`, hint: 'Write --forward 3000, or --forward 3000:8080 for port 8080 here.' })
  }
  return { port, local }
}

/**
 * @param onReady called once all of them lead there
 * @returns 0 after Ctrl-C
 * @throws {PaddockError} `usage` for a port that is taken, `channel-lost` when the sandbox ended first
 */
export async function forwardAll(guest: GuestChannel, wanted: readonly { port: number; local: number }[], onReady: () => void = () => {}): Promise<number> {
  for (const { port, local } of wanted) {
    const { localPort } = await forwardPort(guest, port, local)
    printNote(`127.0.0.1:${localPort} leads to port ${port} in the sandbox; Ctrl-C ends it.`)
  }
  onReady()
  const isToldToEnd = new Promise<null>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => resolve(null))
  })
  const lost = await Promise.race([isToldToEnd, guest.closed])
  if (lost) throw lost
  return 0
}
