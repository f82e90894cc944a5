import * as z from 'zod/mini'
import { textFindingSchema } from '../domain/text-finding.ts'
import { upgradeReportSchema } from '../domain/upgrade.ts'

const call = <I extends z.ZodMiniType, O extends z.ZodMiniType>(input: I, output: O) => ({ input, output })

/** A profile's Containerfile, as an editor opens it. */
export const profileTextSchema = z.object({
  name: z.string(),
  /** A bundled one is read-only: saving makes a copy of the person's own. */
  source: z.enum(['bundled', 'user']),
  file: z.string(),
  text: z.string(),
  /** Handed back when saving, to tell whether the file is still the same. */
  hash: z.string(),
  /** The run label of the profiles below; null when there is none. */
  inheritedLabel: z.nullable(z.string()),
})
export type ProfileText = z.infer<typeof profileTextSchema>

export const savedProfileSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('saved'),
    file: z.string(),
    hash: z.string(),
    /** True when a bundled profile was copied for it. */
    isCopy: z.boolean(),
  }),
  /** The file was changed since it was read; nothing was written. */
  z.object({
    kind: z.literal('conflict'),
    mine: z.string(),
    /** What the file holds now; null when it is gone. */
    theirs: z.nullable(z.string()),
    /** Saving with this hash takes the place of `theirs`. */
    hash: z.string(),
  }),
])
export type SavedProfile = z.infer<typeof savedProfileSchema>

/** A profile that was made, and what a person should know of it. */
export const madeProfileSchema = z.object({ name: z.string(), file: z.string(), notes: z.array(z.string()) })
export type MadeProfile = z.infer<typeof madeProfileSchema>

const named = z.object({ name: z.string() })
/** Absent means the default profile. */
const perhapsNamed = z.object({ name: z.optional(z.string()) })

/** Calls that show, change and keep profiles. Paths are absolute. */
export const profileContract = {
  'profile.open': call(perhapsNamed, profileTextSchema),
  'profile.save': call(z.object({ name: z.string(), text: z.string(), hash: z.string() }), savedProfileSchema),
  /** The person's own file of a profile; a bundled one is copied first. */
  'profile.customize': call(perhapsNamed, z.object({ file: z.string(), isCopy: z.boolean() })),
  /** Findings of the saved text, or of a text that is being written; files are looked for in the profile's folder. */
  'profile.lint': call(
    z.object({ name: z.optional(z.string()), text: z.optional(z.string()) }),
    z.object({
      file: z.string(),
      findings: z.array(textFindingSchema),
      /** The run label of the profiles below that text; null when there is none. */
      inheritedLabel: z.nullable(z.string()),
    }),
  ),
  'profile.create': call(z.object({ name: z.string(), from: z.optional(z.string()) }), madeProfileSchema),
  'profile.duplicate': call(z.object({ name: z.string(), as: z.string() }), madeProfileSchema),
  'profile.rename': call(z.object({ name: z.string(), to: z.string() }), madeProfileSchema),
  /** Moves it to the trash, and says where that is. */
  'profile.remove': call(named, z.object({ trash: z.string(), notes: z.array(z.string()) })),
  /**
   * Takes a Containerfile, a devcontainer.json or a folder with either; the name comes from the folder when none is given,
   * with a number where it is taken if `isNumbered`.
   */
  'profile.import': call(z.object({ path: z.string(), name: z.optional(z.string()), isNumbered: z.optional(z.boolean()) }), madeProfileSchema),
  /** Into a folder that is there under the profile's name, else as that folder. */
  'profile.export': call(z.object({ name: z.string(), folder: z.string() }), z.object({ folder: z.string() })),
  /** Looks for newer versions of pinned npm packages; `apply` writes them, of `shown` only those that are still the same. */
  'profile.upgrade': call(
    z.object({
      name: z.optional(z.string()),
      minAgeDays: z.number().check(z.minimum(0)),
      apply: z.boolean(),
      /** What the person agreed to; absent means whatever is found. */
      shown: z.optional(z.array(z.object({ profile: z.string(), npm: z.string(), version: z.string() }))),
    }),
    upgradeReportSchema,
  ),
} as const
