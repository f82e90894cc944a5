import * as z from 'zod/mini'

/** Everything a person can set; each key is optional and absent means the default named here. */
export const settingsSchema = z.strictObject({
  /** `microvm` (default) or `container`: what a launch gives when no flag says otherwise. */
  isolation: z.optional(z.enum(['microvm', 'container'])),
  /** Image that base profiles start from; absent means Debian, pulled or made from the host's archive. */
  baseImage: z.optional(z.string().check(z.regex(/^[a-z0-9][^\s]*$/i))),
})

export type Settings = z.infer<typeof settingsSchema>
export const settingKeys = Object.keys(settingsSchema.shape) as (keyof Settings)[]
