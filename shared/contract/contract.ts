import * as z from 'zod/mini'
import { checkSchema } from '../domain/check.ts'
import { egressModeSchema } from '../domain/egress.ts'
import { egressRulesSchema } from '../domain/egress-rules.ts'
import { findingSchema } from '../domain/findings.ts'
import { profileStatusSchema } from '../domain/profile.ts'
import { isolationSchema, sandboxSchema } from '../domain/sandbox.ts'
import { settingsSchema } from '../domain/settings.ts'
import { egressContract } from './egress-contract.ts'
import { profileContract } from './profile-contract.ts'

const nothing = z.object({})
const call = <I extends z.ZodMiniType, O extends z.ZodMiniType>(input: I, output: O) => ({ input, output })

/** A sandbox that is ready to be started in a terminal. */
export const launchPlanSchema = z.object({
  /** Names this launch; the sandbox carries it as the label `dev.paddock.launch`. */
  launchId: z.string(),
  profile: z.string(),
  project: z.string(),
  isolation: isolationSchema,
  egress: egressModeSchema,
  /** What the launch's hook has to put in place; null for a network that is not the sandbox's own. */
  rules: z.nullable(z.object({
    expected: egressRulesSchema,
    /** The host's network namespace, in which the sandbox must not be. */
    hostNetns: z.string(),
  })),
  /** Of this machine's loopback, to which the sandbox's way to the proxy leads; null without a proxy. */
  proxyPort: z.nullable(z.number()),
  /** Podman and its arguments, for a process without a shell between. */
  command: z.array(z.string()),
  findings: z.array(findingSchema),
  /** What the person should know before the sandbox starts, a sentence each. */
  notes: z.array(z.string()),
  /** In what it will be weaker than asked for, a sentence each; `sandbox.list` tells the same for as long as it runs. */
  weaknesses: z.array(z.string()),
})
export type LaunchPlan = z.infer<typeof launchPlanSchema>

/** What `sandbox.prune` removes or would remove. */
export const prunableSchema = z.object({
  kind: z.enum(['sandbox', 'image']),
  /** Podman's full id; any other word, `--all` above all, would mean something else to `podman rm`. */
  id: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  what: z.string(),
  /** Bytes on disk; null when unknown. */
  bytes: z.nullable(z.number()),
})
export type Prunable = z.infer<typeof prunableSchema>

/**
 * Every call between a surface (command, window, later HTTP and MCP) and the core. One table: a call without a handler
 * does not compile.
 */
export const contract = {
  'doctor.check': call(nothing, z.array(checkSchema)),
  'settings.set': call(settingsSchema, settingsSchema),
  'profile.list': call(nothing, z.array(profileStatusSchema)),
  'profile.build': call(
    z.object({
      /** Absent means the default profile. */
      profile: z.optional(z.string()),
      /** Build even what is fresh, and reuse no cached layer. */
      force: z.boolean(),
      /** Get the newest base image first. */
      pull: z.optional(z.boolean()),
      baseImage: settingsSchema.shape.baseImage,
    }),
    z.object({ profile: z.string(), image: z.string(), built: z.array(z.string()) }),
  ),
  ...profileContract,
  'sandbox.prepare': call(
    z.object({
      profile: z.optional(z.string()),
      /** Folder to mount; relative to `cwd`, which is also the default. */
      project: z.optional(z.string()),
      cwd: z.string(),
      isolation: z.optional(isolationSchema),
      /** Instead of what the profile's label says; one that lets more through needs the explicit yes. */
      egress: z.optional(egressModeSchema),
      baseImage: settingsSchema.shape.baseImage,
      /** Whether the sandbox's own process gets a terminal. */
      tty: z.boolean(),
      /** Runs instead of the image's command; empty means the image's own. */
      command: z.array(z.string()),
      /** The explicit yes to high findings, and to wider egress than the profile's. */
      acceptFindings: z.boolean(),
    }),
    launchPlanSchema,
  ),
  ...egressContract,
  'sandbox.list': call(nothing, z.array(sandboxSchema)),
  'sandbox.stop': call(z.object({ ids: z.array(z.string()) }), z.array(z.string())),
  'sandbox.remove': call(z.object({ ids: z.array(z.string()), force: z.boolean() }), z.array(z.string())),
  'sandbox.prunable': call(nothing, z.array(prunableSchema)),
  'sandbox.prune': call(z.object({ items: z.array(prunableSchema) }), z.array(prunableSchema)),
} as const

export type Contract = typeof contract
export type CallName = keyof Contract
export type Input<N extends CallName> = z.infer<Contract[N]['input']>
export type Output<N extends CallName> = z.infer<Contract[N]['output']>

/** What a long call tells while it works. */
export type Progress =
  | { kind: 'step'; text: string }
  /** A line of a child's output. */
  | { kind: 'log'; text: string }
  | { kind: 'warning'; text: string }
  /** How far a copy is: all bytes and files so far, and the file that is being copied, with its size. */
  | { kind: 'copied'; text: string; files: number; bytes: number; size: number }

/** How a caller follows and ends a call. */
export interface CallContext {
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

export type Handlers = { [N in CallName]: (input: Input<N>, context: CallContext) => Promise<Output<N>> }
