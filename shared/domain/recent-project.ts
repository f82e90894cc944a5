import * as z from 'zod/mini'

/** A project folder that the person has opened. */
export const projectSchema = z.object({
  /** Absolute, links resolved; what names the project everywhere. */
  folder: z.string(),
  /** Last part of the folder's path. */
  name: z.string(),
  pinned: z.boolean(),
  /** Profile of the last launch; null before the first. */
  lastProfile: z.nullable(z.string()),
  /** ISO 8601. */
  lastOpenedAt: z.string(),
  /** Whether the folder is there now. */
  exists: z.boolean(),
})
export type RecentProject = z.infer<typeof projectSchema>
