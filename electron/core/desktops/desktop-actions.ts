import * as z from 'zod/mini'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { GuestChannel } from '../guest/guest-channel.ts'
import { desktopFailure } from './desktop-failure.ts'
import { typeText } from './type-text.ts'
import listWindows from './windows.sh?raw'

export interface Point {
  x: number
  y: number
}
export type MouseButton = 'left' | 'middle' | 'right'
export type ScrollDirection = 'up' | 'down' | 'left' | 'right'

/** A window of a desktop; all words are the sandbox's. */
export interface DesktopWindow extends Point {
  title: string
  width: number
  height: number
  isActive: boolean
}

/** Works a desktop through the guest channel, with xdotool in the guest; text is typed through its VNC server. Places are pixels of the desktop. Each throws {PaddockError} `desktop-unavailable`, `channel-lost`. */
export interface DesktopActions {
  click(at: Point, button: MouseButton, count: number, modifiers: readonly string[]): Promise<void>
  type(text: string): Promise<void>
  /** @param combination as xdotool has it: `ctrl+shift+t`, `Return` @throws {PaddockError} `usage` for a key that there is none of */
  press(combination: string, count: number): Promise<void>
  scroll(at: Point, direction: ScrollDirection, steps: number): Promise<void>
  drag(path: readonly Point[], button: MouseButton): Promise<void>
  windows(): Promise<DesktopWindow[]>
  /** Starts a program, which goes on by itself. @throws {PaddockError} `usage` when there is no such program */
  launch(argv: readonly [string, ...string[]], cwd?: string): Promise<void>
}

const buttons: Record<MouseButton, string> = { left: '1', middle: '2', right: '3' }
const wheel: Record<ScrollDirection, string> = { up: '4', down: '5', left: '6', right: '7' }
const modifierKeys = ['ctrl', 'shift', 'alt', 'super']
const actMs = 30_000
const letGoMs = 5_000
/** Programs that were just drawn over take a moment to see where the pointer is. */
const settle = ['sleep', '0.05']
/** A drag is seen as one only with places in between. */
const dragSteps = 12
const maxWindows = 200
const windowSchema = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() })

export function createDesktopActions(open: (signal?: AbortSignal) => Promise<GuestChannel>, signal?: AbortSignal): DesktopActions {
  const run = async (argv: [string, ...string[]], options: { cwd?: string } = {}) => (await open(signal)).run(argv, { cwd: '/', maxOutput: 256 * 1024, timeoutMs: actMs, ...(signal && { signal }), ...options })
  // Nothing of it fails: a desktop that is gone holds nothing.
  const letGo = async () => {
    const guest = await open().catch(() => null)
    await guest?.run(['xdotool', ...Object.values(buttons).flatMap((button) => ['mouseup', button]), ...modifierKeys.flatMap((key) => ['keyup', key])], { cwd: '/', maxOutput: 1_000, timeoutMs: letGoMs }).catch(() => {})
  }
  const act = async (what: string, words: readonly string[]) => {
    const output = await run(['xdotool', ...words])
    // What was ended in its middle leaves a button or a key pressed.
    if (signal?.aborted || output.isTimedOut) await letGo()
    if (signal?.aborted) throw new PaddockError({ code: 'cancelled', message: 'Cancelled.' })
    if (output.exitCode !== 0 || output.isTimedOut) throw desktopFailure(what, output)
    return output
  }
  const move = ({ x, y }: Point) => ['mousemove', String(x), String(y)]

  return {
    async click(at, button, count, modifiers) {
      const down = modifiers.flatMap((key) => ['keydown', key])
      const up = modifiers.toReversed().flatMap((key) => ['keyup', key])
      await act('Nothing was clicked', [...move(at), ...settle, ...down, 'click', '--repeat', String(count), '--delay', '60', buttons[button], ...up])
    },
    type: async (text) => typeText(await open(signal), text, signal),
    async press(combination, count) {
      const { stderr } = await act('The key was not pressed', ['key', '--clearmodifiers', ...(count > 1 ? ['--repeat', String(count), '--repeat-delay', '40'] : []), combination])
      if (/No such key name/.test(stderr.toString())) throw new PaddockError({ code: 'usage', message: `"${combination}" names no key.`, hint: 'Keys are named as X names them: Return, Escape, Tab, BackSpace, Delete, Home, Page_Up, F5, ctrl+c, alt+Tab, super.' })
    },
    async scroll(at, direction, steps) {
      await act('Nothing was scrolled', [...move(at), ...settle, 'click', '--repeat', String(steps), '--delay', '20', wheel[direction]])
    },
    async drag([first, ...rest], button) {
      let before = first!
      const between = rest.flatMap((next) => {
        const from = before
        before = next
        return Array.from({ length: dragSteps }, (_, at) => {
          const part = (at + 1) / dragSteps
          return [...move({ x: Math.round(from.x + (next.x - from.x) * part), y: Math.round(from.y + (next.y - from.y) * part) }), 'sleep', '0.01']
        }).flat()
      })
      await act('Nothing was dragged', [...move(first!), ...settle, 'mousedown', buttons[button], ...settle, ...between, ...settle, 'mouseup', buttons[button]])
    },
    async windows() {
      const output = await run(['sh', '-c', listWindows])
      if (output.exitCode !== 0 || output.isTimedOut) throw desktopFailure('The windows are not known', output)
      return readWindows(output.stdout.toString()).slice(0, maxWindows)
    },
    async launch(argv, cwd) {
      // Its output goes nowhere: whoever reads it would have to stay.
      const output = await run(['sh', '-c', 'found=$(command -v -- "$1") && [ -f "$found" ] && [ -x "$found" ] || exit 127; setsid --fork -- "$@" </dev/null >/dev/null 2>&1', 'sh', ...argv], cwd === undefined ? {} : { cwd })
      if (output.exitCode === 127) throw new PaddockError({ code: 'usage', message: `There is no program ${argv[0]} in the sandbox.`, hint: 'The desktop profile has chromium, xfce4-terminal, mousepad, mtpaint and thunar.' })
      if (output.exitCode !== 0 || output.isTimedOut) throw desktopFailure('The program was not started', output)
    },
  }
}

/** What windows.sh prints: three words a window, the title perhaps empty, a NUL behind each. */
function readWindows(printed: string): DesktopWindow[] {
  const words = printed.split('\0')
  const windows: DesktopWindow[] = []
  for (let at = 0; at + 3 < words.length; at += 3) {
    const [x, y, width, height] = words[at + 1]!.split(' ').map(Number)
    const place = windowSchema.safeParse({ x, y, width, height })
    if (place.success) windows.push({ ...place.data, title: words[at + 2]!.slice(0, 300), isActive: words[at] === '1' })
  }
  return windows
}
