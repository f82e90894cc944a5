import { SerializeAddon } from '@xterm/addon-serialize'
import headless from '@xterm/headless'
import { createFlowControl } from './flow-control.ts'
import { openPty, type PtyOptions } from './pty.ts'
import { createWholeOutput } from './whole-output.ts'

/** Lines kept above the screen for who attaches later. */
const scrollbackLines = 5_000
const firstSize = { cols: 80, rows: 24 }

/** A view that follows a terminal: first the replay, then all that comes after it, nothing twice and nothing lost. */
export interface Viewer {
  /** Screen and scrollback so far, as escape sequences. */
  onReplay: (replay: { data: string; cols: number; rows: number }) => void
  onData: (data: Uint8Array) => void
  onExit: (exitCode: number) => void
}

/** What a view does with its terminal. */
export interface View {
  /** Bytes that the view has put on its screen; without it the program is paused in the end. */
  taken(bytes: number): void
  close(): void
}

/** A program in a pseudo terminal whose screen outlives every view of it. */
export interface Terminal {
  write(data: string): void
  resize(cols: number, rows: number): void
  view(viewer: Viewer): View
  /** Ends the client without a signal to what runs behind it. */
  kill(): void
  /** Settles with the exit code. */
  readonly ended: Promise<number>
}

interface Follower {
  sent: (bytes: number) => void
  onData: (data: Uint8Array) => void
  onExit: (exitCode: number) => void
}

/** Starts a program in a terminal. @throws {Error} when it cannot be started */
export function openTerminal(command: PtyOptions['command'], env: PtyOptions['env']): Terminal {
  const screen = new headless.Terminal({ ...firstSize, scrollback: scrollbackLines, allowProposedApi: true })
  const serializer = new SerializeAddon()
  screen.loadAddon(serializer as never)
  const followers = new Set<Follower>()
  let exitCode: number | null = null
  let tellEnd: (code: number) => void
  const ended = new Promise<number>((resolve) => {
    tellEnd = resolve
  })
  const whole = createWholeOutput()
  const spread = (data: Uint8Array) => {
    if (data.length === 0) return
    keeper.sent(data.length)
    screen.write(data, () => keeper.taken(data.length))
    for (const follower of followers) {
      follower.sent(data.length)
      follower.onData(data)
    }
  }
  const pty = openPty({
    ...firstSize,
    command,
    env,
    onData: (data) => spread(whole.add(data)),
    onExit(code) {
      spread(whole.end())
      exitCode = code
      for (const follower of followers) follower.onExit(code)
      tellEnd(code)
    },
  })
  const flow = createFlowControl(pty)
  const keeper = flow.addReader()
  // The kept screen only records: what a program asks its terminal is answered by the view that a person looks at.
  return {
    ended,
    write: (data) => pty.write(data),
    resize(cols, rows) {
      if (exitCode !== null) return
      screen.resize(cols, rows)
      pty.resize(cols, rows)
    },
    view(viewer) {
      const reader = flow.addReader()
      const held: Uint8Array[] = []
      let isDrawn = false
      const live: Follower = {
        sent: reader.sent,
        onData: (data) => (isDrawn ? viewer.onData(data) : held.push(data)),
        onExit: (code) => isDrawn && viewer.onExit(code),
      }
      followers.add(live)
      // Called back when all that came before is on the kept screen, and before anything that came after.
      screen.write('', () => {
        if (!followers.has(live)) return
        viewer.onReplay({ data: serializer.serialize(), cols: screen.cols, rows: screen.rows })
        for (const data of held.splice(0)) viewer.onData(data)
        isDrawn = true
        if (exitCode !== null) viewer.onExit(exitCode)
      })
      return {
        taken: reader.taken,
        close() {
          followers.delete(live)
          reader.close()
        },
      }
    },
    kill: () => pty.kill(),
  }
}
