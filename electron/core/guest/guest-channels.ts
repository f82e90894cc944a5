import type { Podman } from '../engine/podman.ts'
import { connect } from './connect.ts'
import { type GuestChannel, guestChannel } from './guest-channel.ts'
import { findWayIn } from './way-in.ts'

/** The channels of one process: one connection a sandbox, shared by all who ask. */
export interface GuestChannels {
  /**
   * The open connection to a running sandbox, or a new one. @param id Podman's full id
   * @param signal gives up connecting, for all who wait for this connection
   * @throws {PaddockError} `sandbox-unknown`, `channel-unavailable` with the reason, `cancelled`
   */
  open(id: string, signal?: AbortSignal): Promise<GuestChannel>
  /** Ends every connection; whoever asks later gets a new one. */
  close(): void
}

/** Connects when first asked; a connection that broke is made anew for the next who asks. */
export function createGuestChannels(podman: Podman, launchesFolder: string): GuestChannels {
  const open = new Map<string, Promise<GuestChannel>>()
  return {
    open(id, signal) {
      const existing = open.get(id)
      if (existing) return existing
      const opening = openChannel(podman, launchesFolder, id, signal)
      const forget = () => {
        if (open.get(id) === opening) open.delete(id)
      }
      open.set(id, opening)
      opening.then((channel) => channel.closed.then(forget), forget)
      return opening
    },
    close() {
      for (const opening of open.values()) opening.then((channel) => channel.close(), () => {})
      open.clear()
    },
  }
}

/**
 * Connects to a running sandbox, whatever its network. @param id Podman's full id
 * @throws {PaddockError} `sandbox-unknown`, `channel-unavailable` with the reason, `cancelled`
 */
export async function openChannel(podman: Podman, launchesFolder: string, id: string, signal?: AbortSignal): Promise<GuestChannel> {
  const way = await findWayIn(podman, launchesFolder, id)
  return guestChannel(way, await connect(way, signal))
}
