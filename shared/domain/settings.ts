import * as z from 'zod/mini'

/** Everything a person can set; each key is optional and absent means the default named here. */
export const settingsSchema = z.strictObject({
  /** `microvm` (default) or `container`: what a launch gives when no flag says otherwise. */
  isolation: z.optional(z.enum(['microvm', 'container'])),
  /** Image that base profiles start from; absent means Debian, pulled or made from the host's archive. */
  baseImage: z.optional(z.string().check(z.regex(/^[a-z0-9][^\s]*$/i))),
  /** Colours of the window; default `system`. */
  theme: z.optional(z.enum(['system', 'light', 'dark'])),
  /** Font of the terminal; default: the system's monospace. */
  terminalFont: z.optional(z.string().check(z.minLength(1))),
  /** In px; default 13. */
  terminalFontSize: z.optional(z.int().check(z.minimum(8), z.maximum(32))),
  /** Selecting in the terminal copies; default off. */
  copyOnSelect: z.optional(z.boolean()),
  /** Tell screen readers what the terminal prints; default off. */
  screenReader: z.optional(z.boolean()),
  /** Start without showing the window; default off. */
  startHidden: z.optional(z.boolean()),
  /** Show an icon in the tray; default on. */
  tray: z.optional(z.boolean()),
})

export type Settings = z.infer<typeof settingsSchema>
export const settingKeys = Object.keys(settingsSchema.shape) as (keyof Settings)[]
