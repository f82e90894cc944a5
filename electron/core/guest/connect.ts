import type { Client } from 'ssh2'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { podmanEnvironment } from '../engine/podman.ts'
import { type ChildStream, startChildStream } from '../process/child-stream.ts'
import { noChannel, type WayIn } from './way-in.ts'

/** A login in the guest, over which sessions, files and forwards run. */
export interface Connection {
  client: Client
  /** Called for every piece that the guest sends, before it is read. */
  onTraffic(look: () => void): void
  /** Bytes for the guest that it has not taken. */
  waitingBytes(): number
  /** Settles when the connection is over, with the reason when it was not closed here. */
  closed: Promise<PaddockError | null>
  /** Ends it at once. @param error why, for those who wait on it */
  destroy(error?: PaddockError): void
}

/** Beside what sshd may take to listen: entering the namespace, the exchange of keys, the login. */
const handshakeMs = 15_000
/** A guest that answers nothing for three of these is gone, or hangs. */
const keepaliveMs = 10_000
const keepaliveTries = 3

/**
 * Logs in to the guest's sshd. Only a holder of this launch's host key is talked to; nothing that the guest opens is
 * accepted: neither ports, nor agents, nor displays.
 * @throws {PaddockError} `channel-unavailable`, `cancelled`
 */
export async function connect(way: WayIn, signal?: AbortSignal): Promise<Connection> {
  // Loaded when first needed: a launch takes no longer for what comes after it.
  const { default: ssh2 } = await import('ssh2')
  const stream = startChildStream(way.command, podmanEnvironment)
  const client = new ssh2.Client()
  let reason: PaddockError | undefined
  let hasWrongKey = false
  const closed = new Promise<PaddockError | null>((resolve) => {
    client.once('close', () => resolve(reason ?? lost(way)))
    client.once('end', () => stream.destroy())
  })
  const destroy = (error?: PaddockError) => {
    reason ??= error
    client.destroy()
    stream.destroy()
  }
  const ready = new Promise<void>((resolve, reject) => {
    client.once('ready', resolve)
    // Stays: a later error without a listener would end this process. What follows from it is the close.
    client.on('error', reject)
    client.once('close', () => reject(new Error('the connection was closed')))
  })
  const cancel = () => destroy(new PaddockError({ code: 'cancelled', message: 'Cancelled.' }))
  signal?.addEventListener('abort', cancel, { once: true })
  if (signal?.aborted) cancel()
  client.connect({
    sock: stream,
    username: 'ai',
    privateKey: way.clientKey,
    authHandler: ['publickey'],
    hostVerifier: (key: Buffer) => !(hasWrongKey = !key.equals(way.hostKey)),
    algorithms: { kex: ['curve25519-sha256', 'curve25519-sha256@libssh.org'], serverHostKey: ['ssh-ed25519'], cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com'], compress: ['none'] },
    readyTimeout: handshakeMs + way.patienceMs,
    keepaliveInterval: keepaliveMs,
    keepaliveCountMax: keepaliveTries,
  })
  try {
    await ready
  } catch (error) {
    destroy()
    throw reason ?? noChannel(way.sandboxId, whyNot(way, stream, error as Error, hasWrongKey))
  } finally {
    signal?.removeEventListener('abort', cancel)
  }
  return { client, onTraffic: (look) => void stream.prependListener('data', look), waitingBytes: () => stream.writableLength, closed, destroy }
}

/** The end of a sentence. */
function whyNot({ complaint }: WayIn, stream: ChildStream, error: Error, hasWrongKey: boolean): string {
  if (hasWrongKey) return 'what answers in it does not have the host key of its launch'
  const said = stream.complaint()
  if (complaint !== null) return complaint
  if (/socat: (not found|No such file)|failed to execute socat|exec.*socat/i.test(said)) return 'socat, which the way into it needs, is not installed on this machine'
  if (/Connection refused/.test(said)) return 'no sshd of Paddock’s listens in it'
  if (/nsenter:/.test(said)) return 'its network namespace is gone'
  return said.split('\n').at(-1) || error.message
}

function lost({ sandboxId }: WayIn): PaddockError {
  return new PaddockError({
    code: 'channel-lost',
    message: `The connection to sandbox ${sandboxId.slice(0, 12)} broke.`,
    hint: 'It may have ended, which "paddock ls" tells, or be paused. Asking again connects anew, or says why not.',
  })
}
