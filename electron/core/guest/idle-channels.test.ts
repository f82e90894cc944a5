import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { GuestChannel } from './guest-channel.ts'
import { createIdleChannels } from './idle-channels.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Channels that only open and close. */
function createChannels() {
  const seen = { opened: 0, closed: 0 }
  let current: { channel: GuestChannel; lose: () => void } | null = null
  const open = async (): Promise<GuestChannel> => {
    if (current) return current.channel
    seen.opened++
    let settle!: (reason: PaddockError | null) => void
    const closed = new Promise<PaddockError | null>((resolve) => (settle = resolve))
    const end = (reason: PaddockError | null) => {
      if (current?.channel !== channel) return
      seen.closed++
      current = null
      settle(reason)
    }
    const channel = { closed, close: () => end(null) } as unknown as GuestChannel
    current = { channel, lose: () => end(new PaddockError({ code: 'channel-lost', message: 'lost' })) }
    return channel
  }
  return { seen, channels: createIdleChannels({ open }, 1_000), lose: () => current!.lose() }
}

it('keeps a channel for the next use, and closes it when nobody came', async () => {
  const { seen, channels } = createChannels()
  await channels.use('a', async () => {})
  await vi.advanceTimersByTimeAsync(900)
  await channels.use('a', async () => {})
  await vi.advanceTimersByTimeAsync(900)
  expect(seen).toEqual({ opened: 1, closed: 0 })
  await vi.advanceTimersByTimeAsync(200)
  expect(seen).toEqual({ opened: 1, closed: 1 })
  await channels.use('a', async () => {})
  expect(seen.opened).toBe(2)
})

it('is not closed under who works longer, or holds it', async () => {
  const { seen, channels } = createChannels()
  const { release } = await channels.hold('a')
  await channels.use('a', async () => {})
  await vi.advanceTimersByTimeAsync(10_000)
  expect(seen.closed).toBe(0)
  release()
  release()
  await vi.advanceTimersByTimeAsync(1_000)
  expect(seen.closed).toBe(1)
})

it('is closed after work that failed, too', async () => {
  const { seen, channels } = createChannels()
  await expect(channels.use('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(seen.closed).toBe(1)
})

it('forgets who held one that broke, and opens another', async () => {
  const { seen, channels, lose } = createChannels()
  await channels.hold('a')
  lose()
  await channels.use('a', async () => {})
  await vi.advanceTimersByTimeAsync(1_000)
  expect(seen).toEqual({ opened: 2, closed: 2 })
})
