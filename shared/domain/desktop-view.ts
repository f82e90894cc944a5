import * as z from 'zod/mini'

/** How a desktop is shown. */
export const desktopViewSchema = z.object({
  /** `fit` scales the picture; `follow` has the desktop take the pane's size; `full` shows each pixel as one. */
  scale: z.enum(['fit', 'follow', 'full']),
  quality: z.enum(['low', 'medium', 'high']),
  isViewOnly: z.boolean(),
  hasFigures: z.boolean(),
})
export type DesktopView = z.infer<typeof desktopViewSchema>

/** What the page of a desktop's own window shows. */
const shownDesktopSchema = z.object({ id: z.string(), view: desktopViewSchema })
export type ShownDesktop = z.infer<typeof shownDesktopSchema>

/** What a page is to show, as the fragment of its address: it is known before anything is asked. Pure. */
export function toFragment(shown: ShownDesktop): string {
  return `#${encodeURIComponent(JSON.stringify(shown))}`
}

/** @param fragment with its `#` @throws when it is none of `toFragment` */
export function fromFragment(fragment: string): ShownDesktop {
  return shownDesktopSchema.parse(JSON.parse(decodeURIComponent(fragment.slice(1))))
}
