import type { GuestChannel } from './guest-channel.ts'
import type { GuestChannels } from './guest-channels.ts'

/** Channels for those who come and go: each is closed a while after the last use, so that who counts a sandbox's connections finds it alone. */
export interface IdleChannels {
  /** Works over a sandbox's channel. @param id Podman's full id @throws {PaddockError} as `GuestChannels.open`, and what the work throws */
  use<T>(id: string, work: (channel: GuestChannel) => Promise<T>): Promise<T>
  /** Keeps a channel open. @returns also what lets it go again; it goes by itself when the channel is over */
  hold(id: string): Promise<{ channel: GuestChannel; release: () => void }>
}

/** Long enough for a person who reads between two clicks. */
const defaultIdleMs = 30_000

/** @param guests closes no channel that somebody else uses: it is nobody else's */
export function createIdleChannels(guests: Pick<GuestChannels, 'open'>, idleMs = defaultIdleMs): IdleChannels {
  const users = new Map<string, { count: number; timer?: NodeJS.Timeout }>()

  const enter = (id: string) => {
    const user = users.get(id) ?? { count: 0 }
    users.set(id, user)
    clearTimeout(user.timer)
    user.count++
    return user
  }
  const leave = (id: string, user: { count: number; timer?: NodeJS.Timeout }, channel?: GuestChannel) => {
    if (--user.count > 0) return
    user.timer = setTimeout(() => {
      users.delete(id)
      channel?.close()
    }, idleMs)
    user.timer.unref()
  }

  const hold: IdleChannels['hold'] = async (id) => {
    const user = enter(id)
    const channel = await guests.open(id).catch((error: unknown) => {
      leave(id, user)
      throw error
    })
    let isHeld = true
    const release = () => {
      if (isHeld) leave(id, user, channel)
      isHeld = false
    }
    void channel.closed.then(release)
    return { channel, release }
  }

  return {
    hold,
    async use(id, work) {
      const { channel, release } = await hold(id)
      try {
        return await work(channel)
      } finally {
        release()
      }
    },
  }
}
