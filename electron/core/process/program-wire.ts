import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A program whose output is taken as it comes, through one buffer for all of it. */
export interface ProgramWire {
  /** Writes to its stdin; what is not taken yet waits here. */
  write(bytes: Buffer): void
  /** Tells it and what it started to end. */
  destroy(): void
  /** Settles when its output has ended, or it could not be started. */
  ended: Promise<void>
}

/** What the kernel keeps of a socket at once, and a little more. */
const bufferLength = 256 * 1024

/**
 * Starts a program in a session of its own. A pipe of a child's hands over new memory with each piece; to collect it takes
 * longer than anything else when much comes. A socket of one's own reads into memory that it is given.
 * @param take gets each piece; the memory is used anew once it returns
 */
export async function startProgramWire([program, ...args]: readonly [string, ...string[]], env: Record<string, string | undefined>, take: (piece: Buffer) => void): Promise<ProgramWire> {
  const { ours, theirs } = await socketPair(take)
  const child = spawn(program, args, { stdio: ['pipe', theirs, 'ignore'], detached: true, env: { ...process.env, ...env } })
  // The program has it now; held here too, it would have no end.
  theirs.destroy()
  const { stdin } = child
  stdin!.on('error', () => {})
  const destroy = () => {
    stdin!.destroy()
    ours.destroy()
    // The whole group: what the program started may hold the other end.
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) killGroup(child.pid)
  }
  child.once('error', destroy)
  let isCorked = false
  return {
    write(bytes) {
      if (stdin!.destroyed) return
      if (!isCorked) {
        // What is written in one go leaves in one go.
        stdin!.cork()
        process.nextTick(() => {
          isCorked = false
          stdin!.uncork()
        })
      }
      isCorked = true
      stdin!.write(bytes)
    },
    destroy,
    ended: new Promise((resolve) => ours.once('close', () => {
      destroy()
      resolve()
    })),
  }
}

/** Two ends of one connection, by way of a socket's name that only this account can reach, for as long as it takes. */
async function socketPair(take: (piece: Buffer) => void): Promise<{ ours: Socket; theirs: Socket }> {
  const folder = await mkdtemp(join(tmpdir(), 'paddock-wire-'))
  const server = createServer({ pauseOnConnect: true })
  try {
    const path = join(folder, 'socket')
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
    const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
    const ours = connect({
      path,
      onread: {
        buffer: Buffer.allocUnsafeSlow(bufferLength),
        callback: (count, buffer) => {
          take(Buffer.from(buffer.buffer, buffer.byteOffset, count))
          return true
        },
      },
    })
    await new Promise<void>((resolve, reject) => ours.once('error', reject).once('connect', resolve))
    ours.on('error', () => {})
    return { ours, theirs: await accepted }
  } finally {
    server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // It has just ended.
  }
}
