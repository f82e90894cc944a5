import { annotationsOf, type RunOption } from './run-flags.ts'

/** In a run label, by which a profile wants a desktop: `true` or `false`. */
export const desktopAnnotation = 'dev.paddock.desktop'

/** Tells the entrypoint to start it. Not in the label: a sandbox that plain Podman started cannot be looked into. */
export const desktopVariable = 'PADDOCK_DESKTOP'

/** What `profiles/desktop/paddock-desktop` serves inside. */
export const guestDesktop = {
  /** Where the X server listens for VNC, on the guest's loopback only. */
  port: 5901,
  /** What the X server said last. */
  log: '/tmp/paddock-desktop/screen.log',
  display: ':1',
  supervisor: '/usr/local/bin/paddock-desktop',
} as const

/** Whether these options of `podman run` want a desktop. */
export function wantsDesktop(options: readonly RunOption[]): boolean {
  return annotationsOf(options).get(desktopAnnotation) === 'true'
}

/** The most that a desktop may measure: a 4K screen fits twice. A larger one is not drawn. */
export const maxDesktop = { side: 8192, pixels: 4096 * 4096 } as const

/** Whether a size that a guest claims can be drawn. Pure. */
export function isDrawable(width: number, height: number): boolean {
  const isSide = (side: number) => Number.isInteger(side) && side >= 1 && side <= maxDesktop.side
  return isSide(width) && isSide(height) && width * height <= maxDesktop.pixels
}
