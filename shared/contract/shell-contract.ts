import * as z from 'zod/mini'
import { maxBeside, maxShells, type ShellLayout } from '../domain/shell-layout.ts'

const call = <I extends z.ZodMiniType, O extends z.ZodMiniType>(input: I, output: O) => ({ input, output })
const cells = z.int().check(z.minimum(1), z.maximum(2_000))
/** Podman's whole id: by its beginnings one sandbox would be many. */
const sandboxId = z.string().check(z.regex(/^[0-9a-f]{64}$/))

const pane = z.string().check(z.minLength(1), z.maxLength(64))
const few = <T extends z.ZodMiniType>(one: T, most: number) => z.array(one).check(z.minLength(1), z.maxLength(most))

/** How a page arranged a sandbox's terminals; a page that comes later is handed it as it is. */
export const shellLayoutSchema: z.ZodMiniType<ShellLayout> = z.object({
  tabs: few(z.object({ columns: few(few(pane, maxBeside), maxBeside), active: pane }), maxShells + 1),
  shown: z.int().check(z.minimum(0)),
})

/** A shell beside a sandbox's own terminal. Its bytes flow over a MessagePort of its own, as the terminal's. */
export const shellSchema = z.object({
  terminalId: z.string(),
  /** Counts from 1 within its sandbox; a number that is free again is given again. */
  number: z.number(),
})
export type ShellName = z.infer<typeof shellSchema>

/** Calls for more shells in a running sandbox, through its guest channel. */
export const shellContract = {
  /** Opens one; fails with `channel-unavailable` and the reason, or with `usage` when there are too many. */
  'shell.open': call(z.object({ id: sandboxId, size: z.optional(z.object({ cols: cells, rows: cells })) }), shellSchema),
  /** Those that there are, for a page that comes anew, and how the last page arranged them. */
  'shell.list': call(z.object({ id: sandboxId }), z.object({ shells: z.array(shellSchema), layout: z.nullable(shellLayoutSchema) })),
  /** Keeps how they are arranged. */
  'shell.arrange': call(z.object({ id: sandboxId, layout: shellLayoutSchema }), z.object({})),
  /**
   * Ends one, with all that runs in it when forced. Of one that is gone nothing is left to do.
   * @returns the program for which it was left open, empty when its name is not known; null when it is closed
   */
  'shell.close': call(z.object({ terminalId: z.string(), force: z.boolean() }), z.object({ running: z.nullable(z.string()) })),
} as const
