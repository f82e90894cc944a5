import type { Readable } from 'node:stream'
import type { ClientChannel, SFTPWrapper } from 'ssh2'
import { loginShellText, quietShell, shellTextOf } from '../../../shared/domain/guest-command.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { Connection } from './connect.ts'
import type { TerminalSize } from '../../../shared/contract/window-contract.ts'
import { type GuestProcess, guestProcess } from './guest-process.ts'
import { watchLoss } from './loss.ts'
import { type OpenSshFiles, openSshFiles } from './openssh-files.ts'
import type { WayIn } from './way-in.ts'

/** How a program is started in the guest. */
export interface ExecOptions {
  /** A terminal for it; absent means pipes, stdout and stderr apart. */
  tty?: TerminalSize & { term?: string }
  /** On top of the sandbox's own variables. */
  env?: Record<string, string>
  /** Absent means where the sandbox's own command started. */
  cwd?: string
  /** Ends the program's whole process group: SIGTERM, then SIGKILL. */
  signal?: AbortSignal
}

/** What a program printed, up to a limit. */
export interface GuestOutput {
  exitCode: number
  stdout: Buffer
  stderr: Buffer
  /** It printed more than the limit, and was ended. */
  isCut: boolean
  /** It took longer than it may, and was ended. */
  isTimedOut: boolean
}

/** The kernel that answers. */
export interface GuestKernel {
  release: string
  bootId: string
}

/** A connection to one sandbox, with any number of programs, file sessions and forwards on it. All that comes from it is hostile. */
export interface GuestChannel {
  readonly sandboxId: string
  /** Where the sandbox's own command started: the project, as a rule. */
  readonly workdir: string
  /** Starts a program. @throws {PaddockError} `channel-lost`; RangeError for words that no program can get */
  exec(argv: readonly [string, ...string[]], options?: ExecOptions): Promise<GuestProcess>
  /** Runs a program to its end and keeps what it prints. @param limits `maxOutput` in bytes for both streams together */
  run(argv: readonly [string, ...string[]], options?: ExecOptions & { input?: string | Buffer; maxOutput?: number; timeoutMs?: number }): Promise<GuestOutput>
  /** A login shell in a terminal. */
  shell(size: TerminalSize & { term?: string }, options?: Pick<ExecOptions, 'cwd' | 'env'>): Promise<GuestProcess>
  /** A file session of its own. @throws {PaddockError} `channel-lost` */
  sftp(): Promise<SFTPWrapper>
  /** A file session over a connection of OpenSSH's own client, which moves much data in less time; null where there is none. It ends with the channel. */
  bulkSftp(): Promise<OpenSshFiles | null>
  /** A connection to a port on the guest's loopback. @throws {PaddockError} `channel-lost`; an Error with what sshd said when nothing listens there */
  forward(port: number): Promise<ClientChannel>
  /** @throws {PaddockError} `channel-lost` when the answer is none */
  kernel(): Promise<GuestKernel>
  /** Settles when the connection is over, with the reason when it was not closed here. */
  readonly closed: Promise<PaddockError | null>
  close(): void
}

/** An answer to "open a channel" takes no longer in a guest that lives. */
const openMs = 20_000
/** Twice what a guest that obeys can send unread; see ssh2's MAX_WINDOW. */
const maxUnreadBytes = 4 * 1024 * 1024
/** A guest that reads nothing: all windows of a busy connection, several times over. */
const maxWaitingBytes = 128 * 1024 * 1024
/** Long enough for the end of the connection to be heard of, and nothing to who was only refused. */
const brokenMs = 50
const defaultMaxOutput = 1024 * 1024

/** Wraps a login. */
export function guestChannel(way: WayIn, connection: Connection): GuestChannel {
  const { client } = connection
  const streams = new Set<Readable>()
  let isClosedHere = false
  const broken = (why: string) => new PaddockError({ code: 'channel-lost', message: `The connection to sandbox ${way.sandboxId.slice(0, 12)} was ended: ${why}.`, hint: 'What runs in it does not keep to the rules of SSH; see "paddock logs", or stop it.' })
  connection.onTraffic(() => {
    for (const stream of streams) if (stream.readableLength > maxUnreadBytes) return connection.destroy(broken('it sends more than it was asked for'))
    if (connection.waitingBytes() > maxWaitingBytes) connection.destroy(broken('it takes nothing that it is sent'))
  })
  let lostBy: PaddockError | null = null
  const closed = connection.closed.then((reason) => (lostBy = isClosedHere ? null : reason))
  const lost = () => lostBy ?? new PaddockError({ code: 'channel-lost', message: `Sandbox ${way.sandboxId.slice(0, 12)} did not say how it went on: the connection was closed.`, hint: '"paddock ls" tells whether it still runs.' })

  const loss = watchLoss(closed, lost)

  const watch = (stream: Readable) => {
    streams.add(stream)
    stream.once('close', () => streams.delete(stream))
  }
  /**
   * ssh2's callbacks as promises, with an end to waiting. @param drop gets what comes too late, where that is no sign of
   * a guest that hangs; absent means that the connection ends
   */
  const open = <T, R = T>(ask: (done: (error: Error | undefined, value: T) => void) => void, take: (value: T) => R, drop?: (value: T) => void): Promise<R> =>
    new Promise((resolve, reject) => {
      let isLate = false
      const timer = setTimeout(() => {
        if (!drop) return connection.destroy(broken('it does not answer'))
        isLate = true
        forget()
        reject(new Error('The sandbox does not answer.'))
      }, openMs)
      const forget = loss.onLost((error) => {
        clearTimeout(timer)
        reject(error)
      })
      try {
        ask((error, value) => {
          if (isLate) return error ? undefined : drop?.(value)
          clearTimeout(timer)
          forget()
          // A connection that breaks takes its channels with it first, and is the better reason.
          if (error) void loss.within(brokenMs, error).then(reject)
          // At once: what came in the same piece is read before any promise settles.
          else resolve(take(value))
        })
      } catch {
        // "Not connected", thrown at once; the loss tells why.
        clearTimeout(timer)
      }
    })

  const start = async (text: string, { tty, env, signal }: ExecOptions): Promise<GuestProcess> => {
    if (signal?.aborted) throw new PaddockError({ code: 'cancelled', message: 'Cancelled.' })
    const pty = tty && { cols: tty.cols, rows: tty.rows, term: tty.term ?? 'xterm-256color', width: 0, height: 0, modes: {} }
    const process = await open(
      (done) => client.exec(text, { env: { ...way.env, ...env, ...quietShell }, ...(pty && { pty }) }, done),
      (channel: ClientChannel) => {
        watch(channel)
        watch(channel.stderr as Readable)
        return guestProcess(channel, tty !== undefined, loss)
      },
    )
    const cancel = () => void process.end()
    signal?.addEventListener('abort', cancel, { once: true })
    process.exit.finally(() => signal?.removeEventListener('abort', cancel)).catch(() => {})
    if (signal?.aborted) cancel()
    return process
  }

  const self: GuestChannel = {
    sandboxId: way.sandboxId,
    workdir: way.workdir,
    exec: async (argv, options = {}) => start(shellTextOf({ argv, cwd: options.cwd ?? way.workdir }), options),
    async run(argv, { input, maxOutput = defaultMaxOutput, timeoutMs, ...options } = {}) {
      const process = await self.exec(argv, options)
      const parts = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
      let left = maxOutput
      let isCut = false
      let isTimedOut = false
      for (const name of ['stdout', 'stderr'] as const) {
        process[name].on('data', (chunk: Buffer) => {
          if (left > 0) parts[name].push(chunk.subarray(0, left))
          left -= chunk.length
          if (left >= 0 || isCut) return
          isCut = true
          void process.end()
        })
      }
      const timer = timeoutMs !== undefined && setTimeout(() => {
        isTimedOut = true
        void process.end()
      }, timeoutMs)
      process.stdin.on('error', () => {})
      process.stdin.end(input ?? '')
      try {
        // An end that the guest does not tell is still the end that was asked for.
        const { exitCode } = await process.exit.catch((error: unknown) => {
          if (isCut || isTimedOut) return { exitCode: 137 }
          throw error
        })
        return { exitCode, stdout: Buffer.concat(parts.stdout), stderr: Buffer.concat(parts.stderr), isCut, isTimedOut }
      } finally {
        if (timer) clearTimeout(timer)
      }
    },
    shell: ({ cols, rows, term }, options = {}) =>
      start(loginShellText(options.cwd ?? way.workdir), { ...options, tty: { cols, rows, ...(term !== undefined && { term }) } }),
    sftp: () => open((done) => client.sftp(done), (sftp: SFTPWrapper) => sftp),
    bulkSftp: () => openSshFiles(way, closed),
    forward: (port) =>
      open(
        (done) => client.forwardOut('127.0.0.1', 0, 'localhost', port, done),
        (channel: ClientChannel) => {
          watch(channel)
          return channel
        },
        (channel) => {
          channel.on('error', () => {})
          channel.resume()
          channel.destroy()
        },
      ),
    async kernel() {
      const { stdout } = await self.run(['cat', '/proc/sys/kernel/osrelease', '/proc/sys/kernel/random/boot_id'], { cwd: '/', maxOutput: 1_000, timeoutMs: openMs })
      const [release, bootId] = stdout.toString().split('\n')
      if (!release || !bootId) throw broken('it does not tell its kernel')
      return { release, bootId }
    },
    closed,
    close() {
      isClosedHere = true
      connection.destroy()
    },
  }
  return self
}
