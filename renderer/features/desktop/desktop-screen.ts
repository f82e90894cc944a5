import type { ErrorReport } from '../../../shared/errors/paddock-error.ts'
import type { Api } from '../../api/api.ts'
import { BoundedRfb } from './bounded-rfb.ts'
import { followClipboard } from './desktop-clipboard.ts'
import { watchKeys } from './desktop-keys.ts'
import { openScreenChannel, type ScreenChannel } from './screen-channel.ts'
import { keysymsOf } from '../../../shared/domain/keysyms.ts'

/** How a desktop is shown. */
export interface ScreenOptions {
  /** `fit` scales the picture; `follow` has the desktop take the pane's size; `full` shows each pixel as one. */
  scale: 'fit' | 'follow' | 'full'
  isViewOnly: boolean
  /** 0 to 9, as VNC has it. */
  quality: number
}

export type ScreenState =
  | { kind: 'connecting'; isAgain: boolean }
  | { kind: 'shown'; width: number; height: number }
  /** It does not try again by itself. */
  | { kind: 'failed'; error: ErrorReport }

/** What was drawn since the screen was last asked. */
export interface ScreenFigures {
  framesPerSecond: number
  bytesPerSecond: number
}

export interface DesktopScreen {
  apply(options: ScreenOptions): void
  focus(): void
  /** Presses keys together, the first one first. */
  press(keysyms: readonly number[]): void
  pressCtrlAltDel(): void
  figures(): ScreenFigures
  /** A place of the desktop as one of the pane; null while nothing is shown. */
  toPane(place: { x: number; y: number }): { x: number; y: number } | null
  reconnect(): void
  dispose(): void
}

export interface ScreenParts {
  /** Where the picture is drawn. */
  place: HTMLElement
  /** Takes the keys: a text box, so that dead keys and input methods work. */
  keys: HTMLTextAreaElement
}

export interface ScreenEvents {
  onState(state: ScreenState): void
  /** The keys that give the keyboard back to the window. */
  onRelease(): void
}

const retryMs = { first: 250, most: 5_000 } as const
/** A connection that held so long was a good one. */
const goodAfterMs = 5_000
const compression = 2

/** Shows a sandbox's desktop and connects again when it was lost, until it is disposed of. */
export function showDesktop(api: Api, sandboxId: string, { place, keys }: ScreenParts, options: ScreenOptions, { onState, onRelease }: ScreenEvents): DesktopScreen {
  let wanted = options
  let rfb: BoundedRfb | null = null
  let channel: ScreenChannel | null = null
  let retry: ReturnType<typeof setTimeout> | undefined
  let waitMs: number = retryMs.first
  let isDisposed = false
  let seen = { at: performance.now(), frames: 0, bytes: 0 }
  const clipboard = followClipboard(keys)

  const obey = (screen: BoundedRfb) => {
    screen.viewOnly = wanted.isViewOnly
    screen.scaleViewport = wanted.scale === 'fit'
    screen.resizeSession = wanted.scale === 'follow'
    screen.qualityLevel = wanted.quality
  }

  const connect = (isAgain: boolean) => {
    clearTimeout(retry)
    onState({ kind: 'connecting', isAgain })
    const startedAt = performance.now()
    const opened = openScreenChannel(api, sandboxId)
    const made = new BoundedRfb(place, opened, keys)
    channel = opened
    rfb = made
    seen = { at: performance.now(), frames: 0, bytes: 0 }
    made.background = 'transparent'
    made.compressionLevel = compression
    obey(made)
    const tell = () => onState({ kind: 'shown', width: made._fbWidth, height: made._fbHeight })
    made.addEventListener('frame', () => made.frames === 1 && tell())
    made.addEventListener('resize', () => made.frames > 0 && tell())
    made.addEventListener('clipboard', (event) => clipboard.take((event as CustomEvent<{ text: string }>).detail.text))
    made.addEventListener('disconnect', () => {
      if (rfb !== made || isDisposed) return
      rfb = null
      const error = made.broken === null ? opened.reason() : broken(made.broken)
      if (error !== null && stays.has(error.code)) return onState({ kind: 'failed', error })
      if (performance.now() - startedAt > goodAfterMs) waitMs = retryMs.first
      onState({ kind: 'connecting', isAgain: true })
      retry = setTimeout(() => connect(true), waitMs)
      waitMs = Math.min(waitMs * 2, retryMs.most)
    })
  }

  const forgetKeys = watchKeys(keys, {
    onText: (text) => press(keysymsOf(text)),
    async onPaste(keysym, code) {
      const text = await clipboard.read()
      if (text !== null) rfb?.clipboardPasteFrom(text)
      rfb?.sendKey(keysym, code)
    },
    onRelease,
    onLeave: () => rfb?._keyboard._allKeysUp(),
  })
  const press = (keysyms: readonly number[]) => {
    for (const keysym of keysyms) rfb?.sendKey(keysym, null)
  }
  connect(false)

  return {
    apply(next) {
      wanted = next
      if (rfb) obey(rfb)
    },
    focus: () => keys.focus({ preventScroll: true }),
    press(keysyms) {
      for (const keysym of keysyms) rfb?.sendKey(keysym, null, true)
      for (const keysym of keysyms.toReversed()) rfb?.sendKey(keysym, null, false)
    },
    pressCtrlAltDel: () => rfb?.sendCtrlAltDel(),
    figures() {
      const now = { at: performance.now(), frames: rfb?.frames ?? 0, bytes: channel?.bytes() ?? 0 }
      const seconds = Math.max(now.at - seen.at, 1) / 1_000
      const figures = { framesPerSecond: Math.max(0, now.frames - seen.frames) / seconds, bytesPerSecond: Math.max(0, now.bytes - seen.bytes) / seconds }
      seen = now
      return figures
    },
    toPane({ x, y }) {
      if (rfb === null || rfb._fbWidth === 0) return null
      const drawn = rfb._canvas.getBoundingClientRect()
      const pane = place.getBoundingClientRect()
      const scale = drawn.width / rfb._fbWidth
      return { x: drawn.left - pane.left + x * scale, y: drawn.top - pane.top + y * scale }
    },
    reconnect() {
      waitMs = retryMs.first
      if (rfb === null) connect(true)
    },
    dispose() {
      isDisposed = true
      clearTimeout(retry)
      forgetKeys()
      clipboard.end()
      rfb?.disconnect()
    },
  }
}

/** Trying again would end the same way, or is the person's to decide. */
const stays = new Set<ErrorReport['code']>(['desktop-unavailable', 'channel-unavailable', 'sandbox-unknown', 'internal'])

function broken(why: string): ErrorReport {
  return { code: 'desktop-unavailable', message: `The connection to the desktop was ended, because ${why}.`, hint: 'Something in the sandbox may have taken the place of its X server.' }
}
