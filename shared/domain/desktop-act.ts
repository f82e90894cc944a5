import * as z from 'zod/mini'

const pixel = z.int().check(z.minimum(0), z.maximum(32_767))

/** What an agent did last with a desktop, through `paddock mcp`. */
export const desktopActSchema = z.object({
  tool: z.string().check(z.maxLength(40)),
  /** ISO 8601. */
  at: z.string().check(z.maxLength(40)),
  /** Where, in pixels of the desktop; null for keys. */
  place: z.nullable(z.object({ x: pixel, y: pixel })),
})
export type DesktopAct = z.infer<typeof desktopActSchema>

/** What the window shows of agents that work a desktop. */
export const desktopBoardSchema = z.object({ isPaused: z.boolean(), act: z.nullable(desktopActSchema) })
export type DesktopBoard = z.infer<typeof desktopBoardSchema>
