import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientChannel } from 'ssh2'
import { guestDesktop } from '../../../shared/domain/desktop.ts'
import { plain } from '../../../shared/domain/plain-text.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { GuestChannel } from '../guest/guest-channel.ts'
import { limitLead } from '../guest/lead.ts'

/** The bytes of a desktop's VNC server. All that comes is hostile. */
export interface ScreenStream {
  write(data: Uint8Array): void
  /** Bytes that were worked off: the guest may send so many more. */
  taken(bytes: number): void
  close(): void
  /** Settles when it is over, with the reason when it was not closed here. */
  closed: Promise<PaddockError | null>
}

/** What the guest may send ahead of who draws it: some frames' worth, so that a key is answered by the next picture. */
const leadBytes = 512 * 1024
/** What ssh2 grants before it is told otherwise, and the lead; a guest that sends more does not keep to the rules. */
const maxAhead = 2 * 1024 * 1024 + leadBytes
/** A guest that takes neither keys nor a paste of the greatest size. */
const maxUntaken = 4 * 1024 * 1024
/** A sandbox that has just started is still on the way to its desktop. */
const startsWithinMs = 15_000
const tryEveryMs = 150
const askMs = 5_000

/**
 * Connects to the desktop of a sandbox, waiting for it where it is just starting.
 * @throws {PaddockError} `desktop-unavailable` with the reason, `channel-lost`, `cancelled`
 */
export async function openScreen(guest: GuestChannel, onData: (data: Uint8Array) => void, signal?: AbortSignal): Promise<ScreenStream> {
  const channel = await connect(guest, signal)
  const grant = limitLead(channel, leadBytes)
  let ahead = 0
  let reason: PaddockError | null = null
  let isClosedHere = false
  const end = (why: PaddockError | null) => {
    reason ??= why
    channel.destroy()
  }
  const closed = new Promise<PaddockError | null>((resolve) => {
    channel.once('close', () => resolve(isClosedHere ? null : (reason ?? lost('it ended'))))
  })
  channel.on('error', () => {})
  channel.on('data', (data: Buffer) => {
    ahead += data.length
    if (ahead > maxAhead) return end(lost('it sends more than it was asked for'))
    onData(data)
  })
  // ssh2 keeps a channel half open whose other side has ended.
  channel.once('end', () => end(null))
  void guest.closed.then((why) => end(why))
  return {
    write(data) {
      if (!channel.writable) return
      if (channel.writableLength > maxUntaken) return end(lost('it takes nothing that it is sent'))
      channel.write(data)
    },
    taken(bytes) {
      // Who claims more than came earns nothing for later.
      const credit = Math.min(bytes, ahead)
      ahead -= credit
      if (credit > 0 && channel.readable) grant(credit)
    },
    close() {
      isClosedHere = true
      channel.destroy()
    },
    closed,
  }
}

async function connect(guest: GuestChannel, signal?: AbortSignal): Promise<ClientChannel> {
  const until = Date.now() + startsWithinMs
  for (let isFirst = true; ; isFirst = false) {
    if (signal?.aborted) throw new PaddockError({ code: 'cancelled', message: 'Cancelled.' })
    try {
      return await guest.forward(guestDesktop.port)
    } catch (error) {
      if (error instanceof PaddockError) throw error
    }
    if (isFirst && !(await hasSupervisor(guest))) throw unavailable('its image has no desktop', 'Build the profile on "desktop", or take its packages and paddock-desktop over.')
    if (Date.now() > until) throw unavailable(`its X server does not answer${await lastWords(guest)}`, 'Look into the sandbox with "paddock shell"; its screen is made by /usr/local/bin/paddock-desktop.')
    await sleep(tryEveryMs)
  }
}

const ask = (guest: GuestChannel, argv: [string, ...string[]]) => guest.run(argv, { cwd: '/', maxOutput: 1_000, timeoutMs: askMs })
const hasSupervisor = async (guest: GuestChannel) => (await ask(guest, ['test', '-x', guestDesktop.supervisor])).exitCode === 0

/** The end of a sentence. */
async function lastWords(guest: GuestChannel): Promise<string> {
  const { stdout } = await ask(guest, ['tail', '-c', '200', guestDesktop.log])
  const line = stdout.toString().trim().split('\n').at(-1)
  return line ? `: ${plain(line)}` : ''
}

function unavailable(why: string, hint: string): PaddockError {
  return new PaddockError({ code: 'desktop-unavailable', message: `The desktop cannot be shown: ${why}.`, hint })
}

function lost(why: string): PaddockError {
  return new PaddockError({ code: 'channel-lost', message: `The connection to the desktop is over: ${why}.`, hint: 'It is started again by itself.' })
}
