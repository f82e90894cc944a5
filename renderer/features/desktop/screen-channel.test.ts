import { expect, it, vi } from 'vitest'
import type { DesktopDown, DesktopUp } from '../../../shared/contract/desktop-contract.ts'
import type { Api } from '../../api/api.ts'
import { openScreenChannel } from './screen-channel.ts'

function open() {
  const sent: DesktopUp[] = []
  const state = { isClosed: false, tell: (_message: DesktopDown) => {} }
  const api = {
    openDesktop(_id: string, onMessage: (message: DesktopDown) => void) {
      state.tell = onMessage
      return { send: (message: DesktopUp) => sent.push(message), close: () => void (state.isClosed = true) }
    },
  } as unknown as Api
  const channel = openScreenChannel(api, 'a'.repeat(64))
  return { channel, sent, state, tell: (message: DesktopDown) => state.tell(message) }
}
const data = (...bytes: number[]): DesktopDown => ({ type: 'data', data: Uint8Array.from(bytes) })

it('hands on what comes, in order, and asks for as much again once it was drawn', async () => {
  const { channel, sent, tell } = open()
  const seen: number[] = []
  channel.onmessage = ({ data: piece }) => seen.push(...new Uint8Array(piece))
  tell({ type: 'open' })
  expect(channel.readyState).toBe('open')
  tell(data(1, 2))
  tell(data(3))
  expect(sent).toEqual([])
  await vi.waitFor(() => expect(seen).toEqual([1, 2, 3]))
  expect(sent).toEqual([{ type: 'taken', bytes: 3 }])
  expect(channel.bytes()).toBe(3)
})

it('asks for nothing of what was not drawn: the guest waits', async () => {
  const { channel, sent, tell } = open()
  channel.onmessage = () => channel.close()
  tell(data(1))
  tell(data(2))
  await vi.waitFor(() => expect(channel.readyState).toBe('closed'))
  expect(sent).toEqual([])
})

it('leaves time for others when drawing takes long', async () => {
  const { channel, tell } = open()
  let drawn = 0
  channel.onmessage = () => {
    drawn++
    for (const until = performance.now() + 15; performance.now() < until; );
  }
  for (let at = 0; at < 5; at++) tell(data(at))
  const turns: number[] = []
  while (drawn < 5) {
    await new Promise((resolve) => setTimeout(resolve))
    turns.push(drawn)
  }
  expect(new Set(turns).size, 'turns of the window between the pieces').toBeGreaterThan(3)
})

it('draws what came before the end, then tells why it ended', async () => {
  const { channel, state, tell } = open()
  const told: string[] = []
  channel.onmessage = () => told.push('data')
  channel.onclose = () => told.push('close')
  tell(data(1))
  tell({ type: 'closed', error: { code: 'channel-lost', message: 'Gone.' } })
  await vi.waitFor(() => expect(told).toEqual(['data', 'close']))
  expect(channel.reason()).toMatchObject({ message: 'Gone.' })
  expect(state.isClosed).toBe(true)
})

it('sends a copy: noVNC writes over its own', () => {
  const { channel, sent } = open()
  const bytes = Uint8Array.of(1)
  channel.send(bytes)
  bytes[0] = 9
  expect(sent).toEqual([{ type: 'data', data: Uint8Array.of(1) }])
})
