import * as z from 'zod/mini'
import type { RunArguments } from './run-flags.ts'

/** One thing about a run label that a person should know before trusting it. */
export const findingSchema = z.object({
  /** `high` needs an explicit yes before a launch; `medium` is a missing control; `low` is worth knowing. */
  level: z.enum(['high', 'medium', 'low']),
  /** Stable name for programs, e.g. `privileged`. */
  rule: z.string(),
  /** One sentence of what and why. */
  message: z.string(),
})
export type Finding = z.infer<typeof findingSchema>

/** One question about a run label. */
export type Rule = (label: RunArguments) => Finding[]

/** A finding from its parts. */
export const finding = (level: Finding['level'], rule: string, message: string): Finding => ({ level, rule, message })
