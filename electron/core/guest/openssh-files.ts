import type { SFTPWrapper } from 'ssh2'
import { sshFileSessionWords } from '../../../shared/domain/ssh-config.ts'
import { podmanEnvironment } from '../engine/podman.ts'
import { type ProgramWire, startProgramWire } from '../process/program-wire.ts'
import { guestHostName } from '../sandboxes/launch-keys.ts'
import { type FileBytes, fileBytesWire } from './file-bytes.ts'
import type { WayIn } from './way-in.ts'

/** A file session, with a quicker way for the bytes of files. */
export interface OpenSshFiles {
  sftp: SFTPWrapper
  bytes: FileBytes
}

/** A connection, the exchange of keys and the login; a guest that takes longer is served by the channel that is there. */
const openMs = 15_000

/**
 * A file session over OpenSSH's own client. It encrypts in a process of its own, which ssh2 does in ours, between all else
 * that one thread has to do.
 * @param over settles when the sandbox's channel is over, and this with it
 * @returns null when there is no ssh on this machine, or it gets no session
 */
export async function openSshFiles(way: WayIn, over: Promise<unknown>): Promise<OpenSshFiles | null> {
  const { default: ssh2Sftp } = await import('ssh2/lib/protocol/SFTP.js')
  const { clientKeyFile, knownHostsFile } = way.record
  const words = sshFileSessionWords({ identityFile: clientKeyFile, knownHostsFile, hostKeyAlias: guestHostName }, way.command)
  const wire = await startProgramWire(words, { ...podmanEnvironment, SHELL: '/bin/sh' }, (piece) => take(piece)).catch(() => null)
  if (wire === null) return null
  const sftp = new ssh2Sftp.SFTP({ _protocol: wireOf(wire) }, openChannel(), {})
  // ssh2 keeps parts of what it is given; the wire uses its memory anew.
  const bytes = fileBytesWire((data) => wire.write(data), (data) => sftp.push(Buffer.from(data)))
  const take = (piece: Buffer) => {
    try {
      bytes.take(piece)
    } catch (error) {
      wire.destroy()
      sftp.emit('error', error)
    }
  }
  void over.then(() => wire.destroy())
  const timer = setTimeout(() => wire.destroy(), openMs)
  try {
    return await new Promise((resolve) => {
      // Stays: an error without a listener would end this process.
      sftp.on('error', () => wire.destroy())
      sftp.once('ready', () => resolve({ sftp, bytes }))
      void wire.ended.then(() => {
        resolve(null)
        sftp.push(null)
      })
      sftp._init()
    })
  } finally {
    clearTimeout(timer)
  }
}

/** Of an SSH connection, what SFTP asks of it. The guest's server is OpenSSH, or has to do as if. Source: ssh2's lib/protocol/SFTP.js. */
function wireOf(wire: ProgramWire): { _remoteIdentRaw: string; channelData(id: number, bytes: Buffer): void; channelClose(): void } {
  return {
    _remoteIdentRaw: 'SSH-2.0-OpenSSH',
    // Bounded by the requests that a copy has under way.
    channelData: (_id, bytes) => wire.write(bytes),
    channelClose: () => wire.destroy(),
  }
}

/** OpenSSH's client does the windows. */
function openChannel() {
  return { type: 'sftp', incoming: {}, outgoing: { id: 0, state: 'open', window: Infinity, packetSize: Infinity } }
}
