import { readFileSync } from 'node:fs'
import { screen, type BrowserWindow, type Rectangle } from 'electron'
import * as z from 'zod/mini'
import { writeJson } from '../core/store/write-json.ts'

const boundsSchema = z.object({ x: z.int(), y: z.int(), width: z.int(), height: z.int() })
const first = { width: 1200, height: 780 }
const saveAfterMs = 500

/** Where the window was when it was last moved; only if that still is on a screen. Read at once: the window waits for it. */
export function recallBounds(file: string): Partial<Rectangle> {
  try {
    const bounds = boundsSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    const { workArea } = screen.getDisplayMatching(bounds)
    const isVisible = bounds.x < workArea.x + workArea.width && bounds.x + bounds.width > workArea.x && bounds.y >= workArea.y && bounds.y < workArea.y + workArea.height
    return isVisible ? bounds : first
  } catch {
    return first
  }
}

/** Writes the window's place a moment after each move. */
export function rememberBounds(window: BrowserWindow, file: string): void {
  let timer: NodeJS.Timeout | undefined
  const save = () => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      if (!window.isDestroyed() && !window.isMinimized() && !window.isFullScreen()) void writeJson(file, window.getNormalBounds()).catch(() => {})
    }, saveAfterMs)
  }
  window.on('resize', save)
  window.on('move', save)
}
