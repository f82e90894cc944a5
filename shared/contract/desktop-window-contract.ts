import * as z from 'zod/mini'
import { desktopViewSchema } from '../domain/desktop-view.ts'
import { sandboxSchema } from '../domain/sandbox.ts'
import type { panelContract } from './panel-contract.ts'

const nothing = z.object({})
const call = <I extends z.ZodMiniType, O extends z.ZodMiniType>(input: I, output: O) => ({ input, output })
/** Podman's full id. */
const sandbox = { id: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }

/** Calls about desktops that have a window of their own. */
export const desktopWindowContract = {
  /** Shows a desktop in a window of its own, which comes to the front when there is one already. Fails with `desktop-unavailable`. */
  'desktop.openWindow': call(z.object({ ...sandbox, view: desktopViewSchema }), nothing),
  /** Closes that window and shows the sandbox in the main one. Closing what is not open succeeds. */
  'desktop.closeWindow': call(z.object(sandbox), nothing),
  /** Ids of the sandboxes whose desktop has one; the event `desktop-windows` tells of changes. */
  'desktop.windows': call(nothing, z.array(z.string())),
  /** One of `sandbox.list`; null when it has ended. */
  'desktop.sandbox': call(z.object(sandbox), z.nullable(sandboxSchema)),
} as const

/** What the page in such a window may call, each with the id of the one sandbox that it shows. */
export const ownWindowCalls: ReadonlySet<string> = new Set<keyof typeof desktopWindowContract | keyof typeof panelContract>([
  'desktop.sandbox',
  'desktop.closeWindow',
  'desktop.board',
  'desktop.follow',
  'desktop.pause',
  'desktop.screenshot',
  'desktop.openUrl',
])
