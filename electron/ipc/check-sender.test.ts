import type { IpcMainInvokeEvent } from 'electron'
import { describe, expect, it } from 'vitest'
import { createSenders, isOwnPage } from './check-sender.ts'

const event = (senderFrame: { url: string; parent: unknown } | null) => ({ senderFrame }) as unknown as IpcMainInvokeEvent
const main = (url: string) => event({ url, parent: null })

it.each(['paddock://app/', 'paddock://app/index.html', 'paddock://app/#x'])('lets the app’s own page speak: %s', (url) => {
  expect(isOwnPage(main(url))).toBe(true)
})

it.each([
  'paddock://evil/',
  'paddock://app.evil/',
  'paddock://app@evil/',
  'paddock://application/',
  'https://app/',
  'https://example.com/paddock://app/',
  'data:text/html,paddock://app/',
  'file:///paddock://app/',
  'about:blank',
  'null',
  '',
])('refuses another page: %s', (url) => {
  expect(isOwnPage(main(url))).toBe(false)
})

it('refuses a frame in the own page, and a frame that is gone', () => {
  expect(isOwnPage(event({ url: 'paddock://app/', parent: {} }))).toBe(false)
  expect(isOwnPage(event(null))).toBe(false)
})

describe('the page of a desktop’s own window', () => {
  const from = (id: number, url: string) => ({ ...main(url), sender: { id } }) as unknown as IpcMainInvokeEvent
  const senders = createSenders((page) => (page.id === 9 ? 'a' : null))

  it.each(['paddock://app/desktop.html', 'paddock://app/'])('is held to its desktop, whatever its address: %s', (url) => {
    const event = from(9, url)
    expect([senders.isMain(event), senders.mayShow(event, 'a'), senders.mayShow(event, 'b')]).toEqual([false, true, false])
    expect([senders.mayCall(event, 'desktop.pause', { id: 'a' }), senders.mayCall(event, 'desktop.pause', { id: 'b' }), senders.mayCall(event, 'desktop.windows', {}), senders.mayCall(event, 'settings.get', {})]).toEqual([true, false, false, false])
  })

  it('is not the main window’s, which may all', () => {
    const event = from(1, 'paddock://app/')
    expect([senders.isMain(event), senders.mayShow(event, 'b'), senders.mayCall(event, 'settings.get', {})]).toEqual([true, true, true])
  })

  it('may nothing once it is not ours', () => {
    const event = from(9, 'https://example.com/')
    expect([senders.mayShow(event, 'a'), senders.mayCall(event, 'desktop.pause', { id: 'a' })]).toEqual([false, false])
  })
})
