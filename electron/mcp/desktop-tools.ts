import { setTimeout as sleep } from 'node:timers/promises'
import { toDesktop, type ShotView } from '../../shared/domain/desktop-shot.ts'
import { PaddockError } from '../../shared/errors/paddock-error.ts'
import { createDesktopActions, type DesktopActions, type Point } from '../core/desktops/desktop-actions.ts'
import { takeScreenshot } from '../core/desktops/screenshot.ts'
import { workspaceFolder } from '../core/workspace/guest-place.ts'
import type { Workspace } from '../core/workspace/workspace.ts'
import type { ToolInput, ToolName, ToolOutput } from './tool-schemas.ts'
import type { ToolContext } from './tools.ts'

type DesktopTool = Extract<ToolName, `desktop_${string}`>
type DesktopTools = { [N in DesktopTool]: (input: ToolInput<N>, context: ToolContext) => Promise<ToolOutput<N>> }

/** A person who takes the mouse back should not have to fight for it. */
const lookForPauseMs = 150

/** The tools on a workspace's desktop, for one client: places are pixels of the screenshot that it took last. */
export function createDesktopTools({ openGuest, boards }: Pick<Workspace, 'openGuest' | 'boards'>): DesktopTools {
  let last: ShotView | null = null

  const place = ({ x, y }: Point): Point => {
    if (last === null) throw refused('There is no screenshot yet whose pixels these could be.', 'Take one with desktop_screenshot first.')
    const found = toDesktop(last, x, y)
    if (found === null) throw refused(`${x}, ${y} lies outside of the last screenshot, which is ${last.width} × ${last.height}.`, 'Take a new one, or name a place in it.')
    return found
  }
  /** Marks for the person what is done, unless they have paused it. */
  const act = async (tool: DesktopTool, at: Point | null, { signal }: ToolContext, work: (actions: DesktopActions) => Promise<void>) => {
    const { sandboxId } = await openGuest(signal)
    if (await boards.isPaused(sandboxId)) throw paused()
    await boards.note(sandboxId, { tool, at: new Date().toISOString(), place: at })
    const stop = new AbortController()
    const end = () => stop.abort()
    signal.addEventListener('abort', end)
    let isPaused = false
    const look = setInterval(() => {
      void boards.isPaused(sandboxId).then((is) => {
        isPaused ||= is
        if (is) end()
      })
    }, lookForPauseMs)
    try {
      await work(createDesktopActions(openGuest, stop.signal))
    } catch (error) {
      throw isPaused ? paused() : error
    } finally {
      clearInterval(look)
      signal.removeEventListener('abort', end)
    }
  }
  const doneAt = ({ x, y }: Point) => ({ desktop_x: x, desktop_y: y })

  return {
    async desktop_screenshot({ region, max_side, wait_seconds }, context) {
      await sleep(wait_seconds * 1_000, undefined, { signal: context.signal }).catch(() => {})
      const { png, ...view } = await takeScreenshot(await openGuest(context.signal), { region, longestSide: max_side, signal: context.signal })
      last = view
      context.attach?.({ type: 'image', data: png.toString('base64'), mimeType: 'image/png' })
      return { width: view.width, height: view.height, scale: view.scale, desktop_width: view.screen.width, desktop_height: view.screen.height, region: view.region }
    },
    async desktop_click({ button, count, modifiers, ...at }, context) {
      const point = place(at)
      await act('desktop_click', point, context, (actions) => actions.click(point, button, count, modifiers))
      return doneAt(point)
    },
    async desktop_type({ text }, context) {
      await act('desktop_type', null, context, (actions) => actions.type(text))
      return { characters: [...text].length }
    },
    async desktop_key({ keys, count }, context) {
      await act('desktop_key', null, context, (actions) => actions.press(keys, count))
      return { keys, count }
    },
    async desktop_scroll({ direction, steps, ...at }, context) {
      const point = place(at)
      await act('desktop_scroll', point, context, (actions) => actions.scroll(point, direction, steps))
      return doneAt(point)
    },
    async desktop_drag({ path, button }, context) {
      const points = path.map(place)
      const end = points.at(-1)!
      await act('desktop_drag', end, context, (actions) => actions.drag(points, button))
      return doneAt(end)
    },
    async desktop_windows(_input, { signal }) {
      const windows = await createDesktopActions(openGuest, signal).windows()
      return { windows: windows.map(({ isActive, ...window }) => ({ ...window, active: isActive })) }
    },
    async desktop_launch({ command }, context) {
      await act('desktop_launch', null, context, (actions) => actions.launch(command as [string, ...string[]], workspaceFolder))
      return { started: command[0]! }
    },
  }
}

const paused = () => refused('The person has paused what agents do with the desktop.', 'Wait until they let it go on; screenshots can be taken meanwhile.')
const refused = (message: string, hint: string) => new PaddockError({ code: 'workspace-refused', message, hint })
