import { setTimeout as sleep } from 'node:timers/promises'
import type { ClientChannel } from 'ssh2'
import { guestDesktop } from '../../../shared/domain/desktop.ts'
import { keysymsOf, typingParts } from '../../../shared/domain/keysyms.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { GuestChannel } from '../guest/guest-channel.ts'

const answerMs = 20_000
/** More than a server of ours says before it is ready. */
const maxWords = 64 * 1024

/** Programs read the keyboard anew, and work off what was typed, in a few times what a small program takes from its start to its end. */
const settleTimes = 6
const settleMs = { least: 400, most: 3_000 } as const
/** The first time its spare keys are noted: those that were lent later are spare no more, by their looks. */
const findSpare = 'file=/tmp/paddock-desktop/spare-keys; [ -s "$file" ] || xmodmap -pke | sed -n "s/^keycode *\\([0-9]*\\) = *$/\\1/p" >"$file"; cat "$file"'
const highestKeycode = 255

/**
 * Types a text as a VNC client does. A letter that is on no key is lent a spare one ahead: the X server would do so as it is
 * pressed, which programs that look at the keyboard late see too late, and it would lend a key again while they look.
 * Source: RFC 6143, 7.1 to 7.5.
 * @param signal ends it between two letters
 * @throws {PaddockError} `desktop-unavailable`, `channel-lost`, `cancelled`
 */
export async function typeText(guest: Pick<GuestChannel, 'forward' | 'run'>, text: string, signal?: AbortSignal): Promise<void> {
  const channel = await guest.forward(guestDesktop.port).catch((error: unknown) => {
    throw error instanceof PaddockError ? error : unavailable('it does not answer')
  })
  // Without a listener an error of the sandbox's making would end this process.
  channel.on('error', () => {})
  const read = reader(channel)
  try {
    await read(12)
    channel.write('RFB 003.008\n')
    const [count] = await read(1)
    if (!(await read(count!)).includes(1)) throw unavailable('it wants a password')
    channel.write(Buffer.of(1))
    if ((await read(4)).readUInt32BE() !== 0) throw unavailable('it refuses')
    // Shared: whoever looks at it goes on looking.
    channel.write(Buffer.of(1))
    await read((await read(24)).readUInt32BE(20))
    const keys = keysymsOf(text)
    const spare = typingParts(keys, 1).some(({ letters }) => letters.length > 0) ? await spareKeys(guest) : []
    const parts = typingParts(keys, spare.length)
    let pauseMs: number = settleMs.least
    for (const [at, { keysyms, letters }] of parts.entries()) {
      // What was typed before is read by the keys of then.
      if (at > 0) await sleep(pauseMs, undefined, { signal }).catch(() => {})
      if (letters.length > 0) pauseMs = await lendKeys(guest, spare, letters)
      if (signal?.aborted) throw new PaddockError({ code: 'cancelled', message: 'Cancelled.' })
      // Why it is over, the last question tells.
      if (channel.destroyed) break
      channel.write(Buffer.concat(keysyms.flatMap((keysym) => [keyEvent(keysym, 1), keyEvent(keysym, 0)])))
    }
    // One pixel, which is sent when all before it was done.
    channel.write(Buffer.of(3, 0, 0, 0, 0, 0, 0, 1, 0, 1))
    await read(1)
  } finally {
    channel.destroy()
  }
}

const ask = { cwd: '/', maxOutput: 4_000, timeoutMs: 5_000 } as const

/** Keycodes that stand for nothing; none where xmodmap is missing: then the X server lends keys, in its way. */
async function spareKeys(guest: Pick<GuestChannel, 'run'>): Promise<number[]> {
  const { stdout } = await guest.run(['sh', '-c', findSpare], ask)
  return stdout.toString().split(/\s+/).map(Number).filter((keycode) => Number.isInteger(keycode) && keycode > 0 && keycode <= highestKeycode)
}

/** @returns how long programs of this sandbox are to be waited for, in ms */
async function lendKeys(guest: Pick<GuestChannel, 'run'>, spare: readonly number[], letters: readonly number[]): Promise<number> {
  if (spare.length === 0) return settleMs.least
  const began = performance.now()
  const words = letters.flatMap((keysym, at) => ['-e', `keycode ${spare[at]} = 0x${keysym.toString(16)} NoSymbol 0x${keysym.toString(16)}`])
  await guest.run(['xmodmap', ...words], ask)
  const pauseMs = Math.min(settleMs.most, Math.max(settleMs.least, settleTimes * (performance.now() - began)))
  await sleep(pauseMs)
  return pauseMs
}

function keyEvent(keysym: number, isDown: 0 | 1): Buffer {
  const bytes = Buffer.of(4, isDown, 0, 0, 0, 0, 0, 0)
  bytes.writeUInt32BE(keysym, 4)
  return bytes
}

/** Gives what comes in pieces of the wanted length. */
function reader(channel: ClientChannel): (length: number) => Promise<Buffer> {
  let come = Buffer.alloc(0)
  let isOver = false
  let look = () => {}
  channel.on('data', (data: Buffer) => {
    if (come.length < maxWords) come = Buffer.concat([come, data])
    look()
  })
  channel.once('close', () => {
    isOver = true
    look()
  })
  return (length) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(unavailable('it does not answer')), answerMs)
      look = () => {
        if (come.length < length && !isOver && length <= maxWords) return
        clearTimeout(timer)
        look = () => {}
        if (come.length < length) return reject(unavailable('it is no VNC server, or has ended'))
        resolve(come.subarray(0, length))
        come = come.subarray(length)
      }
      look()
    })
}

const unavailable = (why: string) => new PaddockError({ code: 'desktop-unavailable', message: `The text was not typed, because of the desktop's X server: ${why}.`, hint: 'The profile "desktop", and profiles that are built on it with desktop=on, have one.' })
