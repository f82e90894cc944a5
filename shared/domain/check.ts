import * as z from 'zod/mini'

/** One line of `paddock doctor`. */
export const checkSchema = z.object({
  name: z.string(),
  /** `fail` means that launching cannot work; `warn` that something works less well or less safely. */
  status: z.enum(['ok', 'warn', 'fail']),
  /** What was found. */
  found: z.string(),
  /** What to do; null when nothing is needed. */
  fix: z.nullable(z.string()),
})
export type Check = z.infer<typeof checkSchema>
