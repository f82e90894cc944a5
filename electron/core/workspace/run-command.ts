import { workspaceLimits } from '../../../shared/domain/workspace-limits.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { GuestChannel } from '../guest/guest-channel.ts'
import { type BoundedText, createBoundedOutput } from './bounded-output.ts'
import { createRunners, type Runners } from './command-runners.ts'
import { type OpenGuest, refused } from './guest-place.ts'
import { encodeField } from './message.ts'

/** What a command may take. */
export interface CommandLimits {
  timeoutMs: number
  /** Bytes kept of stdout and of stderr. */
  outputBytes: number
}

/** How a command ended; nothing of it runs any more. */
export interface CommandResult {
  /** Null when a signal ended it. */
  exitCode: number | null
  signal: string | null
  /** Why it was ended before its own end. */
  endedFor: 'time' | 'output' | null
  stdout: BoundedText
  stderr: BoundedText
  durationMs: number
}

/** Runs commands in the workspace, so many at once and no more. */
export interface Commands {
  /**
   * @param onOutput called with each piece
   * @throws {PaddockError} `workspace-refused` when as many run as may, `channel-lost`, `channel-unavailable`, `cancelled`
   */
  run(command: string, limits: CommandLimits, options?: { signal?: AbortSignal; onOutput?: (piece: Buffer) => void }): Promise<CommandResult>
}

/** What command.pl grants the command, once told to stop, and a moment for itself. */
const stopMs = 8_000

export function createCommands(open: OpenGuest): Commands {
  let count = 0
  const runners = createRunners()
  return {
    async run(command, limits, options = {}) {
      if (command.includes('\0')) throw refused('The command holds a NUL character, which no argument can.')
      const most = workspaceLimits.commandsAtOnce
      if (count >= most) throw refused(`${most} commands run already, which is as many as may at once.`, 'Wait for one to end, or cancel one.')
      count++
      try {
        return await runOne(await open(options.signal), runners, command, limits, options)
      } finally {
        count--
      }
    },
  }
}

async function runOne(channel: GuestChannel, runners: Runners, command: string, { timeoutMs, outputBytes }: CommandLimits, { signal, onOutput }: NonNullable<Parameters<Commands['run']>[2]>): Promise<CommandResult> {
  if (signal?.aborted) throw cancelled()
  const started = performance.now()
  const process = await runners.take(channel)
  let endedFor: CommandResult['endedFor'] = null
  let isStopped = false
  let late: NodeJS.Timeout | undefined
  const stop = () => {
    if (isStopped) return
    isStopped = true
    // command.pl takes the end of its input as the word to end all that it started.
    process.stdin.end()
    late = setTimeout(() => void process.end(), stopMs)
  }
  const outputs = [process.stdout, process.stderr].map((stream) => {
    const output = createBoundedOutput(outputBytes)
    stream.on('data', (piece: Buffer) => {
      output.push(piece)
      onOutput?.(piece)
      if (output.total <= workspaceLimits.floodBytes || isStopped) return
      endedFor = 'output'
      stop()
    })
    return output
  })
  const timer = setTimeout(() => {
    endedFor ??= 'time'
    stop()
  }, timeoutMs)
  signal?.addEventListener('abort', stop, { once: true })
  process.stdin.write(encodeField(command))
  if (signal?.aborted) stop()
  try {
    const exit = await process.exit
    if (signal?.aborted) throw cancelled()
    const [stdout, stderr] = outputs.map((output) => output.text())
    return {
      exitCode: exit.signal === null ? exit.exitCode : null,
      signal: exit.signal,
      endedFor,
      stdout: stdout!,
      stderr: stderr!,
      durationMs: Math.round(performance.now() - started),
    }
  } finally {
    clearTimeout(timer)
    clearTimeout(late)
    signal?.removeEventListener('abort', stop)
  }
}

const cancelled = () => new PaddockError({ code: 'cancelled', message: 'Cancelled.' })
