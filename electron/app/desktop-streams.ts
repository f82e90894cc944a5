import type { Core } from '../core/core.ts'
import type { ScreenStream } from '../core/desktops/open-screen.ts'
import type { IdleChannels } from '../core/guest/idle-channels.ts'

/** Connects the window to desktops. Nothing of it is loaded before the first one is shown. */
export function createDesktopStreams({ podman, paths }: Pick<Core, 'podman' | 'paths'>): (sandboxId: string, onData: (data: Uint8Array) => void, signal: AbortSignal) => Promise<ScreenStream> {
  let loading: Promise<{ channels: IdleChannels; openScreen: typeof import('../core/desktops/open-screen.ts').openScreen }> | undefined
  const load = async () => {
    const [{ createGuestChannels }, { createIdleChannels }, { openScreen }] = await Promise.all([
      import('../core/guest/guest-channels.ts'),
      import('../core/guest/idle-channels.ts'),
      import('../core/desktops/open-screen.ts'),
    ])
    // Connections of their own: pictures would hold up the keys of shells.
    return { channels: createIdleChannels(createGuestChannels(podman, paths.launchesFolder)), openScreen }
  }
  return async (sandboxId, onData, signal) => {
    const { channels, openScreen } = await (loading ??= load())
    const { channel, release } = await channels.hold(sandboxId)
    try {
      const screen = await openScreen(channel, onData, signal)
      void screen.closed.then(release)
      return screen
    } catch (error) {
      release()
      throw error
    }
  }
}
