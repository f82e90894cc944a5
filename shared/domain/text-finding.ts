import * as z from 'zod/mini'

/** Replaces a stretch of a text; offsets in UTF-16 units, `end` excluded. */
export const editSchema = z.object({ start: z.number(), end: z.number(), text: z.string() })

/** Something about a Containerfile, at its place. */
export const textFindingSchema = z.object({
  /** `error` makes `paddock profile lint` fail. */
  level: z.enum(['error', 'warning', 'note']),
  /** Stable name for programs, e.g. `privileged`. */
  rule: z.string(),
  /** One sentence of what. */
  message: z.string(),
  /** One sentence of why it matters. */
  why: z.string(),
  /** Both count from 1. */
  line: z.number(),
  column: z.number(),
  /** The stretch of the text that it is about. */
  start: z.number(),
  end: z.number(),
  /** A change that mends it; null where only a person can. */
  fix: z.nullable(z.object({ title: z.string(), edits: z.array(editSchema) })),
})
export type TextFinding = z.infer<typeof textFindingSchema>
