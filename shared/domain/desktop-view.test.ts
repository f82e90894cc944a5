import { expect, it } from 'vitest'
import { fromFragment, type ShownDesktop, toFragment } from './desktop-view.ts'

const shown: ShownDesktop = { id: 'a'.repeat(64), view: { scale: 'follow', quality: 'high', isViewOnly: true, hasFigures: false } }

it('what a page is to show is read from its address as it was written', () => {
  expect(fromFragment(new URL(`paddock://app/desktop.html${toFragment(shown)}`).hash)).toEqual(shown)
})

it.each(['', '#', '#{}', '#%', `#${encodeURIComponent('{"id":"a","view":{"scale":"huge"}}')}`])('nothing is made of another address: %j', (fragment) => {
  expect(() => fromFragment(fragment)).toThrow()
})
