import { expect, it } from 'vitest'
import { pasteKeysym } from './desktop-keys.ts'

const key = (of: Partial<Parameters<typeof pasteKeysym>[0]>) => pasteKeysym({ key: 'v', code: 'KeyV', ctrlKey: false, shiftKey: false, altKey: false, metaKey: false, ...of })

it('knows the keys at which programs paste', () => {
  expect(key({ ctrlKey: true })).toBe(0x76)
  expect(key({ key: 'V', ctrlKey: true, shiftKey: true })).toBe(0x56)
  expect(key({ key: 'Insert', code: 'Insert', shiftKey: true })).toBe(0xff63)
})

it('finds V on keyboards of other letters, and none where a Latin layout has another letter in its place', () => {
  expect(key({ key: 'м', ctrlKey: true })).toBe(0x76)
  expect(key({ key: 'М', ctrlKey: true, shiftKey: true })).toBe(0x56)
  expect(key({ key: 'k', ctrlKey: true })).toBeNull()
  expect(key({ key: 'м', code: 'Period', ctrlKey: true })).toBeNull()
})

it.each([{}, { ctrlKey: true, altKey: true }, { metaKey: true }, { key: 'Insert' }, { key: 'Insert', shiftKey: true, ctrlKey: true }, { key: 'c', ctrlKey: true }])('takes no other for them: %j', (of) => {
  expect(key(of)).toBeNull()
})
