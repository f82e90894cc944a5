import { SerializeAddon } from '@xterm/addon-serialize'
import headless from '@xterm/headless'
import { createBatch } from './batch.ts'
import { createFlowControl } from './flow-control.ts'
import { openPty, type Pty, type PtyOptions } from './pty.ts'
import { createWholeOutput } from './whole-output.ts'

/** Lines kept above the screen for who attaches later. */
const scrollbackLines = 5_000
const firstSize = { cols: 80, rows: 24 }
/** More than a program writes before somebody looks. */
const maxFirst = 64 * 1024

/** A view that follows a terminal: first the replay, then all that comes after it, nothing twice and nothing lost. */
export interface Viewer<Exit = number> {
  /** Screen and scrollback so far, as escape sequences. */
  onReplay: (replay: { data: string; cols: number; rows: number }) => void
  onData: (data: Uint8Array) => void
  onExit: (exitCode: Exit) => void
}

/** What a view does with its terminal. */
export interface View {
  /** Bytes that the view has put on its screen; without it the program is paused in the end. */
  taken(bytes: number): void
  close(): void
}

/**
 * A program in a pseudo terminal whose screen outlives every view of it. `Exit` is an exit code, or also null where the
 * program can be lost.
 */
export interface Terminal<Exit = number> {
  /** @returns false when the program reads so little that the input was dropped, or has ended */
  write(data: string | Uint8Array): boolean
  resize(cols: number, rows: number): void
  view(viewer: Viewer<Exit>): View
  /** Ends the client without a signal to what runs behind it. */
  kill(): void
  /** Settles with the exit code. */
  readonly ended: Promise<Exit>
}

/** What a terminal needs of the program in it, wherever that runs. */
export type TerminalProgram = Omit<Pty, 'pid'>

export interface ProgramOptions<Exit> {
  cols: number
  rows: number
  onData: PtyOptions['onData']
  onExit: (exitCode: Exit) => void
}

interface Follower<Exit> {
  sent: (bytes: number) => void
  onData: (data: Uint8Array) => void
  onExit: (exitCode: Exit) => void
}

export interface TerminalOptions {
  size?: { cols: number; rows: number } | undefined
  /** What stands on its screen already. */
  before?: string
}

/** Starts a program in a terminal. @throws {Error} when it cannot be started */
export function openTerminal(command: PtyOptions['command'], env: PtyOptions['env'], options?: TerminalOptions): Terminal {
  return keepTerminal((program) => openPty({ ...program, command, env }), options)
}

/** Keeps the screen of a program in a terminal. @param start starts it; it says nothing before `start` has returned */
export function keepTerminal<Exit>(start: (options: ProgramOptions<Exit>) => TerminalProgram, { size = firstSize, before = '' }: TerminalOptions = {}): Terminal<Exit> {
  const followers = new Set<Follower<Exit>>()
  let end: { exitCode: Exit } | null = null
  let tellEnd: (code: Exit) => void
  const ended = new Promise<Exit>((resolve) => {
    tellEnd = resolve
  })
  const whole = createWholeOutput()
  /** All output so far, for the first view: the program's own words come sooner than a drawing of the screen. Null when that is no longer all. */
  let first: Uint8Array[] | null = before === '' ? [] : null
  let firstLength = 0
  const spread = (data: Uint8Array) => {
    if (data.length === 0) return
    firstLength += data.length
    if (firstLength > maxFirst) first = null
    first?.push(data)
    keeper.sent(data.length)
    screen.write(data, () => keeper.taken(data.length))
    for (const follower of followers) {
      follower.sent(data.length)
      follower.onData(data)
    }
  }
  const batch = createBatch((data) => spread(whole.add(data)))
  const program = start({
    ...size,
    onData: batch.add,
    onExit(code) {
      batch.flush()
      spread(whole.end())
      end = { exitCode: code }
      for (const follower of followers) follower.onExit(code)
      tellEnd(code)
    },
  })
  // Made while the program starts; what it says comes later than this.
  const screen = new headless.Terminal({ ...size, scrollback: scrollbackLines, allowProposedApi: true })
  const serializer = new SerializeAddon()
  screen.loadAddon(serializer as never)
  screen.write(before)
  const flow = createFlowControl(program)
  const keeper = flow.addReader()
  // The kept screen only records: what a program asks its terminal is answered by the view that a person looks at.
  return {
    ended,
    write: (data) => program.write(data),
    resize(cols, rows) {
      if (end !== null) return
      // What was written before was written for another size.
      if (firstLength > 0) first = null
      screen.resize(cols, rows)
      program.resize(cols, rows)
    },
    view(viewer) {
      const reader = flow.addReader()
      const held: Uint8Array[] = []
      let isDrawn = false
      const live: Follower<Exit> = {
        sent: reader.sent,
        onData: (data) => (isDrawn ? viewer.onData(data) : held.push(data)),
        onExit: (code) => isDrawn && viewer.onExit(code),
      }
      const draw = (data: string) => {
        if (!followers.has(live)) return
        viewer.onReplay({ data, cols: screen.cols, rows: screen.rows })
        for (const piece of held.splice(0)) viewer.onData(piece)
        isDrawn = true
        if (end !== null) viewer.onExit(end.exitCode)
      }
      followers.add(live)
      if (first === null)
        // Called back when all that came before is on the kept screen, and before anything that came after.
        screen.write('', () => draw(serializer.serialize()))
      else {
        const said = Buffer.concat(first).toString()
        // A later view must not have the program's questions answered once more.
        first = null
        queueMicrotask(() => draw(said))
      }
      return {
        taken: reader.taken,
        close() {
          followers.delete(live)
          reader.close()
        },
      }
    },
    kill: () => program.kill(),
  }
}
