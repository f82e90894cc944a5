import * as z from 'zod/mini'
import { profileNamePattern } from './profile.ts'

/** A Containerfile that was changed in the window and not saved. Texts are as the file has them. */
export const draftSchema = z.object({
  profile: z.string().check(z.regex(profileNamePattern)),
  text: z.string(),
  /** What the change started from, and its hash, by which it is told whether the file is still the same. */
  base: z.string(),
  hash: z.string(),
})
export type Draft = z.infer<typeof draftSchema>
