import { createServer, type Server, type Socket } from 'node:net'
import { type ListeningPort, parseListeningPorts } from '../../../shared/domain/listening-ports.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { guestPerl } from '../workspace/guest-place.ts'
import type { GuestChannel, GuestOutput } from './guest-channel.ts'
import program from './ports.pl?raw'

const maxTable = 1024 * 1024
const askMs = 20_000

/** TCP ports on which something inside listens, and what does. @throws {PaddockError} `channel-lost`, also when the sandbox does not tell them */
export async function listPorts(guest: Pick<GuestChannel, 'run' | 'sandboxId'>): Promise<ListeningPort[]> {
  const limits = { cwd: '/', maxOutput: maxTable, timeoutMs: askMs }
  const told = await guest.run([guestPerl, '-e', program], limits)
  // An image without perl tells the ports, but not whose they are.
  const { exitCode, stdout, stderr, isCut, isTimedOut } = isNotFound(told) ? await guest.run(['cat', '/proc/net/tcp', '/proc/net/tcp6'], limits) : told
  // A kernel without IPv6 has no second table; the first one has at least its heading.
  const why = isTimedOut ? `it took longer than ${askMs / 1_000} seconds` : isCut ? `its table has more than ${maxTable} bytes` : stdout.length === 0 || exitCode > 1 ? stderr.toString().trim().split('\n')[0] || `it ended with ${exitCode}` : null
  if (why !== null) throw new PaddockError({ code: 'channel-lost', message: `Sandbox ${guest.sandboxId.slice(0, 12)} does not tell its ports: ${why}.`, hint: 'What runs in it may keep it too busy; ask again, or see "paddock exec ID -- cat /proc/net/tcp".' })
  return parseListeningPorts(stdout.toString())
}

const isNotFound = ({ exitCode, isTimedOut }: GuestOutput) => !isTimedOut && (exitCode === 126 || exitCode === 127)

/** A port of this machine's loopback that leads into a sandbox. */
export interface Forward {
  port: number
  localPort: number
  /** Ends it, and what goes through it. */
  close(): void
}

/** As many as a browser and a few tools open at once. */
const maxConnections = 128

/**
 * Opens a port on this machine's loopback; who connects reaches the guest's port.
 * @param localPort 0 takes any that is free
 * @throws {PaddockError} `usage` when the local port cannot be had
 */
export async function forwardPort(guest: GuestChannel, port: number, localPort: number): Promise<Forward> {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => socket.destroy())
    guest.forward(port).then(
      (stream) => {
        stream.on('error', () => socket.destroy())
        stream.once('close', () => socket.destroySoon())
        socket.once('close', () => stream.destroy())
        socket.pipe(stream).pipe(socket)
      },
      // Nothing listens there: as if it were so here.
      () => socket.resetAndDestroy(),
    )
  })
  server.maxConnections = maxConnections
  await listen(server, localPort)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a TCP server has no port')
  const close = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  void guest.closed.then(close)
  return { port, localPort: address.port, close }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new PaddockError({ code: 'usage', message: `Port ${port} of this machine cannot be used: ${error.code === 'EADDRINUSE' ? 'something else listens there' : error.message}.`, hint: 'End what listens there, or take another one where that can be chosen, as in "paddock ports ID --forward 3000:3001".' })),
    )
    server.listen({ host: '127.0.0.1', port, exclusive: true }, resolve)
  })
}
