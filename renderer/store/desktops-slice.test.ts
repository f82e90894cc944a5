import { describe, expect, it } from 'vitest'
import { asking, createTestApi, deferred, refused } from '../dev/test-api.ts'
import { fakeSandbox } from '../dev/scene.ts'
import { desktopPlaceOf } from './desktops-slice.ts'
import { followDesktop } from './follow-desktop.ts'

const sandbox = fakeSandbox('a1', 'web', { hasDesktop: true })
const { id } = sandbox

function opened(answers: Parameters<typeof createTestApi>[0] = {}) {
  const test = createTestApi({ 'desktop.openWindow': () => ({}), 'desktop.closeWindow': () => ({}), 'desktop.windows': () => [], ...answers })
  return { ...test, place: () => desktopPlaceOf(test.state(), sandbox) }
}

describe('a desktop in a window of its own', () => {
  it('is asked for with the way it is shown', async () => {
    const { state, calls } = opened()
    state().changeDesktopView({ isViewOnly: true })
    await state().openDesktopWindow(id)
    expect(asking({ calls }, 'desktop.openWindow')).toEqual([{ name: 'desktop.openWindow', input: { id, view: { scale: 'fit', quality: 'medium', isViewOnly: true, hasFigures: false } } }])
  })

  it('is where the main process says, and back in its place when its window is closed', async () => {
    const { state, place } = opened()
    state().placeDesktop(id, 'alone')
    await state().openDesktopWindow(id)
    expect(place()).toBe('alone')
    state().setDesktopWindows([id])
    expect(place()).toBe('window')
    state().setDesktopWindows([])
    expect(place()).toBe('alone')
  })

  it('comes back in sight, also where it was hidden before', async () => {
    const { state, place } = opened()
    state().placeDesktop(id, 'hidden')
    await state().openDesktopWindow(id)
    state().setDesktopWindows([id])
    state().setDesktopWindows([])
    expect(place()).toBe('beside')
  })

  it('closes its window when it is hidden or shown in the tab', () => {
    const { state, calls } = opened()
    state().placeDesktop(id, 'beside')
    expect(asking({ calls }, 'desktop.closeWindow')).toEqual([])
    state().setDesktopWindows([id])
    state().placeDesktop(id, 'hidden')
    expect(asking({ calls }, 'desktop.closeWindow')).toEqual([{ name: 'desktop.closeWindow', input: { id } }])
  })

  it('that cannot be had leaves it where it is, and says why', async () => {
    const { state, place } = opened({ 'desktop.openWindow': () => Promise.reject(refused) })
    state().placeDesktop(id, 'hidden')
    await state().openDesktopWindow(id)
    expect([place(), state().problem?.error]).toEqual(['hidden', refused])
  })

  it('is known to a page that is loaded anew, and news are newer than its answer', async () => {
    const answer = deferred()
    const { state } = opened({ 'desktop.windows': () => answer.promise })
    const loading = state().loadDesktopWindows()
    state().setDesktopWindows([])
    answer.resolve([id])
    await loading
    expect(state().desktopWindows).toEqual([])
    const other = opened({ 'desktop.windows': () => [id] })
    await other.state().loadDesktopWindows()
    expect(other.state().desktopWindows).toEqual([id])
  })
})

describe('the page of that window', () => {
  it('asks for its sandbox, and hears of its end', async () => {
    const { api, store, calls, tell, state } = opened({ 'desktop.sandbox': () => sandbox })
    await followDesktop(api, store, id)()
    expect([calls, state().sandboxes]).toEqual([[{ name: 'desktop.sandbox', input: { id } }], [sandbox]])
    tell({ type: 'sandboxes', revision: 4, sandboxes: [] })
    tell({ type: 'sandboxes', revision: 3, sandboxes: [sandbox] })
    expect(state().sandboxes).toEqual([])
  })

  it('lets no answer take the place of newer news', async () => {
    const answer = deferred()
    const { api, store, tell, state } = opened({ 'desktop.sandbox': () => answer.promise })
    const loading = followDesktop(api, store, id)()
    tell({ type: 'sandboxes', revision: 4, sandboxes: [] })
    answer.resolve(sandbox)
    await loading
    expect(state().sandboxes).toEqual([])
  })

  it('says why it knows nothing, until it does', async () => {
    const answers = [() => Promise.reject(refused), () => null]
    const { api, store, state } = opened({ 'desktop.sandbox': () => answers.shift()!() })
    const load = followDesktop(api, store, id)
    await load()
    expect([state().sandboxes, state().sandboxesError]).toEqual([null, refused])
    await load()
    expect([state().sandboxes, state().sandboxesError]).toEqual([[], null])
  })
})
