import * as z from 'zod/mini'
import { desktopBoardSchema } from '../domain/desktop-act.ts'
import { guestEntrySchema, guestPreviewSchema, guestRootSchema } from '../domain/guest-entry.ts'
import { listeningPortSchema } from '../domain/listening-ports.ts'
import { mcpCallSchema, mcpClientSchema } from '../domain/mcp-activity.ts'
import { workspaceLimits } from '../domain/workspace-limits.ts'

const nothing = z.object({})
const call = <I extends z.ZodMiniType, O extends z.ZodMiniType>(input: I, output: O) => ({ input, output })

/** Podman's id; a word that begins with a dash would be an option to it. */
const sandbox = { id: z.string().check(z.regex(/^[0-9a-f]{12,64}$/)) }
const port = z.int().check(z.minimum(1), z.maximum(65_535))

/** A path inside a sandbox, relative to one of its roots. */
const place = z.object({ ...sandbox, root: guestRootSchema, path: z.string().check(z.minLength(1), z.maxLength(workspaceLimits.pathCharacters)) })
export type GuestPlace = z.infer<typeof place>

/** Files of this machine that the person dropped or chose. The page gets a word for them and their names, never their paths. */
export const offerSchema = z.object({ offerId: z.string(), names: z.array(z.string()) })
export type Offer = z.infer<typeof offerSchema>

/** How a copy ended. */
export const copiedSchema = z.object({
  files: z.number(),
  bytes: z.number(),
  /** What was left out, and why; the first of them. Hostile text. */
  leftOut: z.array(z.object({ path: z.string(), why: z.string() })),
  leftOutCount: z.number(),
})
export type Copied = z.infer<typeof copiedSchema>

const forwardSchema = z.object({ port: z.number(), localPort: z.number() })

/** Calls of the panels of a running sandbox. They reach it through the guest channel and name no path of this machine. */
export const panelContract = {
  'files.list': call(place, z.object({ entries: z.array(guestEntrySchema), isCut: z.boolean() })),
  'files.open': call(place, guestPreviewSchema),
  /** Copies a file or folder to where the person chooses in the system's dialog; null when they close it. Progress while it copies. */
  'files.download': call(z.object({ ...place.shape, isFolder: z.boolean() }), z.nullable(z.object({ ...copiedSchema.shape, to: z.string() }))),
  /** The system's dialog for files, or for a folder, to copy in; null when the person closes it. */
  'files.pick': call(z.object({ what: z.enum(['files', 'folder']) }), z.nullable(offerSchema)),
  /** Copies what was offered into a folder of the sandbox. Without `replaces` nothing is copied if a name is there already. Progress while it copies. */
  'files.copyIn': call(
    z.object({ ...place.shape, offerId: z.string().check(z.maxLength(64)), replaces: z.boolean() }),
    z.discriminatedUnion('kind', [z.object({ kind: z.literal('copied'), ...copiedSchema.shape }), z.object({ kind: z.literal('exists'), names: z.array(z.string()) })]),
  ),
  /** What listens in a sandbox, and what of it is forwarded by this app. */
  'ports.list': call(z.object(sandbox), z.object({ listening: z.array(listeningPortSchema), forwards: z.array(forwardSchema) })),
  /** Leads a free port of this machine's loopback to one of the sandbox, the same number if it can be had, until it is stopped or the sandbox ends. */
  'ports.forward': call(z.object({ ...sandbox, port }), forwardSchema),
  /** Stopping what is not forwarded succeeds. */
  'ports.stop': call(z.object({ ...sandbox, port }), nothing),
  /** Saves a picture of the desktop where the person chooses in the system's dialog; null when they close it. */
  'desktop.screenshot': call(z.object(sandbox), z.nullable(z.object({ to: z.string() }))),
  /** Opens an address in the browser of a sandbox's desktop; http and https only. */
  'desktop.openUrl': call(z.object({ ...sandbox, url: z.string().check(z.maxLength(8_192)) }), nothing),
  /** Whether agents may work the desktop through `paddock mcp`, and what one did last. */
  'desktop.board': call(z.object(sandbox), desktopBoardSchema),
  'desktop.pause': call(z.object({ ...sandbox, isPaused: z.boolean() }), nothing),
  /** Tells of changes of its board by the event `desktop-changed` until it is cancelled; the last who asks for a sandbox is told. */
  'desktop.follow': call(z.object(sandbox), nothing),
  /** The words that start the `paddock` which belongs to this app. */
  'mcp.command': call(nothing, z.array(z.string())),
  /** Who is connected to a project or a sandbox by `paddock mcp`, and the last calls, the newest first. */
  'mcp.list': call(z.object({ project: z.nullable(z.string()), sandbox: z.nullable(z.string()) }), z.object({ clients: z.array(mcpClientSchema), calls: z.array(mcpCallSchema) })),
  /** Tells of changes by the event `mcp-changed` until it is cancelled; the last who asks is told. */
  'mcp.follow': call(nothing, nothing),
  /** Saves the log of requests, a line of JSON each, where the person chooses in the system's dialog; null when they close it. */
  'egress.export': call(z.object(sandbox), z.nullable(z.object({ to: z.string() }))),
  /** Tells of what is to be decided by the event `egress-prompts`, at once and at each change, until it is cancelled; the last who asks is told. */
  'egress.follow': call(nothing, nothing),
} as const
