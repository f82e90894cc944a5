import * as z from 'zod/mini'
import { draftSchema } from '../domain/draft.ts'
import { egressPromptSchema } from '../domain/egress-prompt.ts'
import { projectSchema } from '../domain/recent-project.ts'
import { isolationSchema, sandboxSchema } from '../domain/sandbox.ts'
import { settingsSchema } from '../domain/settings.ts'
import { errorCodes } from '../errors/paddock-error.ts'
import { contract, type Input as CoreInput } from './contract.ts'
import { desktopWindowContract } from './desktop-window-contract.ts'
import { panelContract } from './panel-contract.ts'
import { madeProfileSchema } from './profile-contract.ts'
import { shellContract } from './shell-contract.ts'

const nothing = z.object({})
const call = <I extends z.ZodMiniType, O extends z.ZodMiniType>(input: I, output: O) => ({ input, output })

/** Whether this host can run microVMs. */
export const hostIsolationSchema = z.object({
  /** Why it cannot, and what to do; null when it can. */
  obstacle: z.nullable(z.object({ why: z.string(), fix: z.string() })),
})
export type HostIsolation = z.infer<typeof hostIsolationSchema>

/** What the About page tells. */
export const aboutSchema = z.object({
  version: z.string(),
  electron: z.string(),
  chrome: z.string(),
  node: z.string(),
  /** null when Podman does not answer. */
  podman: z.nullable(z.string()),
  os: z.string(),
})
export type About = z.infer<typeof aboutSchema>

const cells = z.int().check(z.minimum(1), z.maximum(2_000))
export const terminalSizeSchema = z.object({ cols: cells, rows: cells })
export type TerminalSize = z.infer<typeof terminalSizeSchema>

/** A terminal of the main process; its bytes flow over a MessagePort of its own. */
export const terminalSchema = z.object({
  terminalId: z.string(),
  /** Podman's id of the sandbox in it. */
  sandboxId: z.string(),
})
export type Terminal = z.infer<typeof terminalSchema>

// A page that was taken over must not choose paths: of these calls it has its own, for which the person chooses.
const { 'profile.import': _import, 'profile.export': _export, 'sandbox.prepare': _prepare, ...pathless } = contract

/** How a sandbox is to be launched. */
const launchWishSchema = z.object({
  profile: z.string(),
  isolation: z.optional(isolationSchema),
  acceptFindings: z.boolean(),
  /** Of the screen that will show it, so that nothing has to be drawn twice. */
  size: z.optional(terminalSizeSchema),
})

/** Calls that only the window makes, on top of the core's. */
export const windowContract = {
  ...pathless,
  ...shellContract,
  ...panelContract,
  ...desktopWindowContract,
  'app.about': call(nothing, aboutSchema),
  /** Opens an address outside; http and https only. The window asks the person first. */
  'app.openExternal': call(z.object({ url: z.string() }), nothing),
  'host.isolation': call(nothing, hostIsolationSchema),
  'settings.get': call(nothing, settingsSchema),
  'project.list': call(nothing, z.array(projectSchema)),
  /** Adds a folder, or moves it to the top; fails with `project-refused`. */
  'project.add': call(z.object({ folder: z.string() }), projectSchema),
  /** The system's folder dialog; null when the person closes it. */
  'project.pick': call(nothing, z.nullable(projectSchema)),
  'project.pin': call(z.object({ folder: z.string(), pinned: z.boolean() }), nothing),
  'project.remove': call(z.object({ folder: z.string() }), nothing),
  /** Shows the folder in the file manager. */
  'project.reveal': call(z.object({ folder: z.string() }), nothing),
  /** Makes a profile of what the person chooses in the system's dialog; null when they close it. */
  'profile.pickImport': call(z.object({ from: z.enum(['file', 'folder']) }), z.nullable(madeProfileSchema)),
  /** Copies a profile's folder into one that the person chooses in the system's dialog; null when they close it. */
  'profile.pickExport': call(z.object({ name: z.string() }), z.nullable(z.object({ folder: z.string() }))),
  /** As `sandbox.launch`, on an empty folder that is made for it and goes when the sandbox has ended. */
  'profile.try': call(launchWishSchema, terminalSchema),
  /** Profiles with an unsaved text. */
  'draft.list': call(nothing, z.array(z.string())),
  'draft.open': call(z.object({ profile: z.string() }), z.nullable(draftSchema)),
  /** Answers when it is on the disk: from then on it outlives the page and the app. */
  'draft.keep': call(draftSchema, nothing),
  'draft.drop': call(z.object({ profile: z.string() }), nothing),
  /** The system's dialog for a folder or a drive to mount; null when the person closes it. */
  'mount.pick': call(nothing, z.nullable(z.string())),
  /** Builds what is missing or stale and starts a sandbox in a terminal; progress while it builds. */
  'sandbox.launch': call(z.object({ project: z.string(), ...launchWishSchema.shape }), terminalSchema),
  /** A terminal on a sandbox that runs already; the same one when it is open. */
  'sandbox.attach': call(z.object({ id: z.string() }), terminalSchema),
  /** The `podman` command line that gives the same sandbox, fit to paste into a shell. */
  'sandbox.command': call(z.object({ id: z.string() }), z.string()),
} as const

export type WindowContract = typeof windowContract
export type WindowCall = keyof WindowContract
export type WindowInput<N extends WindowCall> = z.infer<WindowContract[N]['input']>
export type WindowOutput<N extends WindowCall> = z.infer<WindowContract[N]['output']>
export type { CoreInput }

/** Live figures of a running sandbox. */
export const statsSchema = z.object({
  id: z.string(),
  /** 1 is one whole CPU. */
  cpu: z.number(),
  memoryBytes: z.number(),
})
export type Stats = z.infer<typeof statsSchema>

const errorReportSchema = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  hint: z.optional(z.string()),
  command: z.optional(z.array(z.string())),
  exitCode: z.optional(z.number()),
  stderrTail: z.optional(z.string()),
})

/** What the main process tells without being asked. A smaller revision than the last one seen is stale. */
export const windowEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sandboxes'), revision: z.number(), sandboxes: z.array(sandboxSchema) }),
  z.object({ type: z.literal('projects'), revision: z.number(), projects: z.array(projectSchema) }),
  z.object({ type: z.literal('settings'), revision: z.number(), settings: settingsSchema }),
  /** A launch has got its sandbox, and its terminal's stream can be opened while it starts; the launch's own reply tells how that went. */
  z.object({ type: z.literal('starting'), project: z.string(), profile: z.string(), ...terminalSchema.shape }),
  /** Paddock itself ended a sandbox, because it is not what was asked for. */
  z.object({ type: z.literal('failed'), sandboxId: z.string(), error: errorReportSchema }),
  /** Images or profile folders changed: ask for the list again. */
  z.object({ type: z.literal('profiles-changed') }),
  /** Somebody came, went or called something by `paddock mcp`: ask for the list again. Told while `mcp.follow` goes on. */
  z.object({ type: z.literal('mcp-changed') }),
  /** Hosts that were blocked and that the person may decide about: all that is open. Told while `egress.follow` goes on. */
  z.object({ type: z.literal('egress-prompts'), prompts: z.array(egressPromptSchema) }),
  /** An agent worked a desktop, or was paused: ask for its board again. Told while `desktop.follow` goes on. */
  z.object({ type: z.literal('desktop-changed'), sandboxId: z.string() }),
  /** Which sandboxes' desktops have windows of their own. */
  z.object({ type: z.literal('desktop-windows'), ids: z.array(z.string()) }),
  z.object({ type: z.literal('stats'), stats: z.array(statsSchema) }),
  /** Podman's events stopped or came back. */
  z.object({ type: z.literal('connection'), isConnected: z.boolean() }),
  /** From the menu, the tray or a second start of the app. */
  z.object({
    type: z.literal('command'),
    command: z.enum(['palette', 'settings', 'host', 'about', 'launch', 'open-project', 'show-sandbox']),
    /** Folder for `launch` and `open-project`, sandbox id for `show-sandbox`. */
    subject: z.optional(z.string()),
  }),
])
export type WindowEvent = z.infer<typeof windowEventSchema>

/** Messages on a terminal's port, towards the main process. */
export type TerminalUp =
  | { type: 'input'; data: string }
  /** Each character is a byte, as xterm.js has reports that are no text: an X10 mouse beyond column 95. */
  | { type: 'input-bytes'; data: string }
  | { type: 'resize'; cols: number; rows: number }
  /** Characters that the screen has taken since the last one: the flow control's credit. */
  | { type: 'taken'; bytes: number }

/** Messages on a terminal's port, towards the window. */
export type TerminalDown =
  /** Everything on the screen so far, as escape sequences, before any data. */
  | { type: 'replay'; data: string; cols: number; rows: number }
  | { type: 'data'; data: Uint8Array }
  /** null: the terminal was lost, but the sandbox may still run. */
  | { type: 'exit'; exitCode: number | null }
