import { describe, expect, test } from 'vitest'
import { asking, createTestApi, deferred } from '../dev/test-api.ts'

const place = { id: 'a'.repeat(64), root: 'project' as const, path: 'src' }
const offer = { offerId: 'o1', names: ['a.txt', 'b.txt', 'c.txt'] }
const copied = { files: 3, bytes: 12, leftOut: [], leftOutCount: 0 }

describe('a copy into a sandbox', () => {
  test('tells what it copies and how far it is, and what it did', async () => {
    const ready = deferred()
    const { state } = createTestApi({
      'files.copyIn': (_input, { onProgress }) => {
        onProgress?.({ kind: 'copied', text: 'b.txt', files: 2, bytes: 8, size: 4 })
        return ready.promise
      },
    })
    const copying = state().copyIn(place, offer)
    expect(state().transfers).toMatchObject([{ direction: 'in', what: 'a.txt and 2 more', status: 'running', progress: { files: 2, bytes: 8 } }])
    ready.resolve({ kind: 'copied', ...copied })
    await copying
    expect(state().transfers).toMatchObject([{ status: 'done', copied }])
    state().dismissTransfer(state().transfers[0]!.key)
    expect(state().transfers).toEqual([])
  })

  test('asks before it replaces anything, and then does', async () => {
    const window = createTestApi({ 'files.copyIn': ({ replaces }: { replaces: boolean }) => (replaces ? { kind: 'copied', ...copied } : { kind: 'exists', names: ['b.txt'] }) })
    await window.state().copyIn(place, offer)
    expect(window.state().transfers).toMatchObject([{ status: 'asking', conflicts: ['b.txt'] }])
    const { key } = window.state().transfers[0]!
    await window.state().answerTransfer(key, true)
    expect(window.state().transfers).toMatchObject([{ key, status: 'done', conflicts: [] }])
    expect(asking(window, 'files.copyIn').map(({ input }) => (input as { replaces: boolean }).replaces)).toEqual([false, true])
  })

  test('is no more when the person keeps what is there', async () => {
    const window = createTestApi({ 'files.copyIn': () => ({ kind: 'exists', names: ['b.txt'] }) })
    await window.state().copyIn(place, offer)
    await window.state().answerTransfer(window.state().transfers[0]!.key, false)
    expect(window.state().transfers).toEqual([])
    expect(asking(window, 'files.copyIn')).toHaveLength(1)
  })

  test('can be cancelled, and says so instead of an error', async () => {
    const { state } = createTestApi({
      'files.copyIn': (_input, { signal }) => new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject({ code: 'copy-failed', message: 'it broke off' }))),
    })
    const copying = state().copyIn(place, offer)
    state().cancelTransfer(state().transfers[0]!.key)
    expect(state().transfers[0]!.status).toBe('cancelling')
    await copying
    expect(state().transfers).toMatchObject([{ status: 'cancelled', error: null }])
  })
})

describe('a download', () => {
  test('tells where it was saved', async () => {
    const { state } = createTestApi({ 'files.download': () => ({ ...copied, to: '/home/mira/a.txt' }) })
    await state().download({ ...place, path: 'src/a.txt' }, { isFolder: false, sizeBytes: 12 })
    expect(state().transfers).toMatchObject([{ direction: 'out', what: 'a.txt', status: 'done', totalBytes: 12, to: '/home/mira/a.txt' }])
  })

  test('that fails keeps its error, and one whose dialog is closed leaves nothing', async () => {
    const error = { code: 'copy-failed', message: 'There is not enough room.' }
    const answers: (() => unknown)[] = [() => { throw error }, () => null]
    const { state } = createTestApi({ 'files.download': () => answers.shift()!() })
    await state().download(place, { isFolder: true, sizeBytes: null })
    expect(state().transfers).toMatchObject([{ status: 'failed', error }])
    await state().download(place, { isFolder: true, sizeBytes: null })
    expect(state().transfers).toHaveLength(1)
  })
})
