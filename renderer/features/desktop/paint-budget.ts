/** A frame is painted once and shown once, 60 times a second: half as much again. */
const screensPerSecond = 180
/** What a page paints without a GPU and still answers its person. */
const mostPixelsPerSecond = 500e6
/** A small screen may be painted over in a burst. */
const leastPixelsPerSecond = 200e6
/** What a stroke costs beside its pixels, in pixels. */
const strokePixels = 256

/** Counts what a server has painted; `spend` tells whether that was within what may be painted. */
export interface PaintBudget {
  spend(pixels: number, screenPixels: number, nowMs: number): boolean
}

/** A bucket that holds what may be painted in a second, and fills as the second goes. A few bytes of VNC can ask for a whole screen to be painted. */
export function createPaintBudget(): PaintBudget {
  let spent = 0
  let at = 0
  return {
    spend(pixels, screenPixels, nowMs) {
      const perSecond = Math.min(mostPixelsPerSecond, Math.max(leastPixelsPerSecond, screenPixels * screensPerSecond))
      spent = Math.max(0, spent - ((nowMs - at) / 1_000) * perSecond) + pixels + strokePixels
      at = nowMs
      return spent <= perSecond
    },
  }
}
