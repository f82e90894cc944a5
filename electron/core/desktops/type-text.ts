import type { ClientChannel } from 'ssh2'
import { guestDesktop } from '../../../shared/domain/desktop.ts'
import { keysymsOf } from '../../../shared/domain/keysyms.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { GuestChannel } from '../guest/guest-channel.ts'

const answerMs = 20_000
/** More than a server of ours says before it is ready. */
const maxWords = 64 * 1024

/**
 * Types a text as a VNC client does. The X server gives each letter that is on no key one of its own and leaves it there,
 * where xdotool would use one key for all, and programs that look late would find another letter. Source: RFC 6143, 7.1 to 7.5.
 * @throws {PaddockError} `desktop-unavailable`, `channel-lost`
 */
export async function typeText(guest: Pick<GuestChannel, 'forward'>, text: string): Promise<void> {
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
    channel.write(Buffer.concat(keysymsOf(text).flatMap((keysym) => [keyEvent(keysym, 1), keyEvent(keysym, 0)])))
    // One pixel, which is sent when all before it was done.
    channel.write(Buffer.of(3, 0, 0, 0, 0, 0, 0, 1, 0, 1))
    await read(1)
  } finally {
    channel.destroy()
  }
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
