import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { SavedProfile } from '../../shared/contract/profile-contract.ts'
import type { Draft } from '../../shared/domain/draft.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import { asking, createTestApi, deferred } from '../dev/test-api.ts'

const before = 'FROM a:1\nRUN one\n'
const changed = 'FROM a:1\nRUN two\n'
/** The file, and what the main process keeps beside it. */
let disk: { text: string; source: 'bundled' | 'user' }
let drafts: Map<string, Draft>
beforeEach(() => {
  disk = { text: before, source: 'user' }
  drafts = new Map()
})

const hashOf = (text: string) => `hash of ${text}`
const save = ({ text, hash }: { text: string; hash: string }): SavedProfile => {
  if (hash !== hashOf(disk.text)) return { kind: 'conflict', mine: text, theirs: disk.text, hash: hashOf(disk.text) }
  const isCopy = disk.source === 'bundled'
  disk = { text, source: 'user' }
  return { kind: 'saved', file: '/f', hash: hashOf(text), isCopy }
}

async function openEditor(more: Parameters<typeof createTestApi>[0] = {}) {
  const window = createTestApi({
    'profile.open': ({ name }: { name: string }) => ({ name, source: disk.source, file: '/f', text: disk.text, hash: hashOf(disk.text), inheritedLabel: null }),
    'profile.save': save,
    'profile.lint': () => ({ file: '/f', findings: [], inheritedLabel: null }),
    'draft.list': () => [...drafts.keys()],
    'draft.open': ({ profile }: { profile: string }) => drafts.get(profile) ?? null,
    'draft.keep': (draft: Draft) => void drafts.set(draft.profile, draft),
    'draft.drop': ({ profile }: { profile: string }) => void drafts.delete(profile),
    ...more,
  })
  await window.store.begin()
  await window.state().editProfile('web')
  return { ...window, editor: () => window.state().editors.web! }
}

describe('a change', () => {
  test('is kept as a draft at once, told of, and found by the next start', async () => {
    const { state, editor } = await openEditor()
    state().editText('web', changed)
    expect(state().drafts).toEqual(['web'])
    await vi.waitFor(() => expect(drafts.get('web')).toEqual({ profile: 'web', text: changed, base: before, hash: hashOf(before) }))
    expect(editor().saved).toBe(before)
    const next = await openEditor()
    expect(next.state().drafts).toEqual(['web'])
    expect(next.editor()).toMatchObject({ text: changed, saved: before, conflict: null })
  })

  test('that is taken back leaves no draft', async () => {
    const { state } = await openEditor()
    state().editText('web', changed)
    await vi.waitFor(() => expect(drafts.size).toBe(1))
    state().editText('web', before)
    expect(state().drafts).toEqual([])
    await vi.waitFor(() => expect(drafts.size).toBe(0))
  })

  test('is saved, and the draft goes', async () => {
    const window = await openEditor()
    window.state().editText('web', changed)
    expect(await window.state().saveProfile('web')).toBe(true)
    expect(disk.text).toBe(changed)
    expect(window.editor()).toMatchObject({ saved: changed, hash: hashOf(changed), isSaving: false })
    expect(window.state().drafts).toEqual([])
    await vi.waitFor(() => expect(asking(window, 'draft.drop').length).toBeGreaterThan(0))
    expect(drafts.size).toBe(0)
  })

  test('that is made while saving is not lost', async () => {
    const written = deferred()
    const { state, editor } = await openEditor({ 'profile.save': (input) => written.promise.then(() => save(input)) })
    state().editText('web', changed)
    const saving = state().saveProfile('web')
    state().editText('web', `${changed}# more\n`)
    expect(await state().saveProfile('web')).toBe(false)
    written.resolve(null)
    expect(await saving).toBe(true)
    expect(editor()).toMatchObject({ saved: changed, text: `${changed}# more\n` })
    await vi.waitFor(() => expect(drafts.get('web')?.base).toBe(changed))
  })

  test('of a bundled profile makes it the person’s own', async () => {
    disk.source = 'bundled'
    const { state, editor } = await openEditor()
    expect(editor().source).toBe('bundled')
    state().editText('web', changed)
    await state().saveProfile('web')
    expect(editor().source).toBe('user')
    expect(state().announcement).toContain('your own copy')
  })

  test('keeps the line ends of the file', async () => {
    disk.text = 'FROM a:1\r\nRUN one\r\n'
    const { state, editor } = await openEditor()
    expect(editor().text).toBe(before)
    state().editText('web', changed)
    await vi.waitFor(() => expect(drafts.get('web')?.text).toBe('FROM a:1\r\nRUN two\r\n'))
    expect((await openEditor()).editor()).toMatchObject({ text: changed, conflict: null })
    await state().saveProfile('web')
    expect(disk.text).toBe('FROM a:1\r\nRUN two\r\n')
  })

  test('can be discarded, and stays when the editor is left', async () => {
    const { state, editor } = await openEditor()
    state().editText('web', changed)
    state().leaveEditor()
    expect(state().view.kind).toBe('project')
    await state().editProfile('web')
    expect(editor().text).toBe(changed)
    state().discardChanges('web')
    expect(editor().text).toBe(before)
  })
})

describe('a file that somebody else changed', () => {
  const theirs = 'FROM a:1\nRUN theirs\n'

  test('is shown as it is now while nothing here was changed', async () => {
    const { state, editor, tell } = await openEditor()
    disk.text = theirs
    tell({ type: 'profiles-changed' })
    await vi.waitFor(() => expect(editor()).toMatchObject({ text: theirs, saved: theirs, conflict: null }))
    expect(state().drafts).toEqual([])
  })

  test('is a conflict where it was changed here as well, and nothing is written until the person chose', async () => {
    const { state, editor, tell } = await openEditor()
    state().editText('web', changed)
    disk.text = theirs
    tell({ type: 'profiles-changed' })
    await vi.waitFor(() => expect(editor().conflict).toEqual({ theirs, hash: hashOf(theirs), eol: '\n' }))
    expect(await state().saveProfile('web')).toBe(false)
    expect([disk.text, editor().text]).toEqual([theirs, changed])
    state().keepMine('web')
    expect(await state().saveProfile('web')).toBe(true)
    expect(disk.text).toBe(changed)
  })

  test('is noticed by saving at the latest, and can be taken instead', async () => {
    const { state, editor } = await openEditor()
    state().editText('web', changed)
    disk.text = theirs
    expect(await state().saveProfile('web')).toBe(false)
    expect(editor().conflict?.theirs).toBe(theirs)
    state().takeTheirs('web')
    expect(editor()).toMatchObject({ text: theirs, saved: theirs, conflict: null })
    expect(disk.text).toBe(theirs)
  })

  test('is no conflict where both made the same change', async () => {
    const { state, editor } = await openEditor()
    state().editText('web', changed)
    disk.text = changed
    await state().checkEditors()
    expect(editor()).toMatchObject({ conflict: null, saved: changed })
  })

  test('between two starts is one, too', async () => {
    const { state } = await openEditor()
    state().editText('web', changed)
    await vi.waitFor(() => expect(drafts.size).toBe(1))
    disk.text = theirs
    const next = await openEditor()
    expect(next.editor()).toMatchObject({ text: changed, saved: before, conflict: { theirs } })
    expect(next.state().drafts).toEqual(['web'])
  })

  test('is gone only where there is none: what cannot be read says why, once, and what was written here stays', async () => {
    let error: ErrorReport | null = null
    const { state, editor } = await openEditor({
      'profile.open': ({ name }: { name: string }) => {
        if (error) throw error
        return { name, source: 'user', file: '/f', text: before, hash: hashOf(before), inheritedLabel: null }
      },
    })
    state().editText('web', changed)
    error = { code: 'profile-refused', message: '/f is refused: it is a link.' }
    await state().checkEditors()
    expect(state().problem?.error).toEqual(error)
    expect(editor()).toMatchObject({ text: changed, conflict: null })
    state().dismissProblem()
    await state().checkEditors()
    expect(state().problem).toBeNull()
    error = { code: 'profile-broken', message: '/f is missing.' }
    await state().checkEditors()
    expect(editor().conflict).toMatchObject({ theirs: null, hash: '' })
  })

  test('that is gone is told by saving, and can be written again', async () => {
    const { state, editor } = await openEditor({
      'profile.save': ({ text, hash }: { text: string; hash: string }) => {
        if (hash !== '') throw { code: 'profile-unknown', message: 'There is no profile "web".' }
        return { kind: 'saved', file: '/f', hash: hashOf(text), isCopy: false }
      },
    })
    state().editText('web', changed)
    expect(await state().saveProfile('web')).toBe(false)
    expect(editor().conflict).toMatchObject({ theirs: null })
    state().keepMine('web')
    expect(await state().saveProfile('web')).toBe(true)
    expect(editor()).toMatchObject({ saved: changed, conflict: null })
  })

  const inDos = (text: string) => text.replaceAll('\n', '\r\n')

  test('has the line ends that it was given outside, also under an unsaved change', async () => {
    disk.text = inDos(before)
    const { state, editor } = await openEditor()
    state().editText('web', changed)
    disk.text = before
    await state().checkEditors()
    expect(editor()).toMatchObject({ text: changed, conflict: null, eol: '\n' })
    await state().saveProfile('web')
    expect(disk.text).toBe(changed)
    disk.text = inDos(theirs)
    await state().checkEditors()
    expect(editor()).toMatchObject({ text: theirs, eol: '\r\n' })
    state().editText('web', before)
    await state().saveProfile('web')
    expect(disk.text).toBe(inDos(before))
  })

  test('has them as well where both changed it, whichever is kept, and between two starts', async () => {
    disk.text = inDos(before)
    const { state, editor } = await openEditor()
    state().editText('web', changed)
    await vi.waitFor(() => expect(drafts.size).toBe(1))
    disk.text = before
    expect((await openEditor()).editor()).toMatchObject({ text: changed, saved: before, eol: '\n', conflict: null })
    disk.text = theirs
    await state().checkEditors()
    expect(editor().conflict).toEqual({ theirs, hash: hashOf(theirs), eol: '\n' })
    state().keepMine('web')
    await state().saveProfile('web')
    expect(disk.text).toBe(changed)
  })

  test('is not taken for one when the answer is older than the own save', async () => {
    const answer = deferred()
    let isLate = false
    const opened = (text: string) => ({ name: 'web', source: 'user', file: '/f', text, hash: hashOf(text), inheritedLabel: null })
    const { state, editor } = await openEditor({ 'profile.open': () => (isLate ? answer.promise : opened(disk.text)) })
    isLate = true
    const checking = state().checkEditors()
    state().editText('web', changed)
    await state().saveProfile('web')
    answer.resolve(opened(before))
    await checking
    expect(editor()).toMatchObject({ text: changed, saved: changed, conflict: null })
  })
})

test('a profile that cannot be opened says why, and gives its unsaved text back', async () => {
  drafts.set('web', { profile: 'web', text: changed, base: before, hash: 'h' })
  const error: ErrorReport = { code: 'profile-unknown', message: 'There is no profile "web".' }
  const { state } = await openEditor({ 'profile.open': () => { throw error } })
  expect(state().unopened.web).toEqual({ error, draft: changed })
  await state().dropDraft('web')
  expect(state().unopened.web?.draft).toBeNull()
  expect(drafts.size).toBe(0)
})

test('a draft that cannot be kept is told once', async () => {
  const full: ErrorReport = { code: 'internal', message: 'No space left on device.' }
  const window = await openEditor({ 'draft.keep': () => { throw full } })
  window.state().editText('web', changed)
  await vi.waitFor(() => expect(window.state().problem?.error).toEqual(full))
  window.state().dismissProblem()
  window.state().editText('web', `${changed}\n`)
  await vi.waitFor(() => expect(asking(window, 'draft.keep')).toHaveLength(2))
  expect(window.state().problem).toBeNull()
})

test('what only the folder tells moves with the text, and goes with what it was about', async () => {
  const finding = { level: 'error', rule: 'missing-file', message: 'x', why: 'y', line: 2, column: 1, start: 9, end: 12, fix: null }
  const { state, editor } = await openEditor({ 'profile.lint': () => ({ file: '/f', findings: [finding, { ...finding, rule: 'latest' }], inheritedLabel: 'podman run x' }) })
  expect(editor()).toMatchObject({ fileFindings: [finding], inherited: { label: 'podman run x', text: before } })
  state().editText('web', `#\n${before}`, (offset) => offset + 2)
  expect(editor().fileFindings).toMatchObject([{ start: 11, end: 14 }])
  state().editText('web', '', () => 0)
  expect(editor().fileFindings).toEqual([])
})

test('save and build builds only what could be saved', async () => {
  const window = await openEditor({ 'profile.build': () => ({ profile: 'web', image: 'i', built: ['web'] }) })
  window.state().editText('web', changed)
  disk.text = 'FROM other:1\n'
  await window.state().saveAndBuild('web')
  expect(asking(window, 'profile.build')).toEqual([])
  window.state().keepMine('web')
  await window.state().saveAndBuild('web')
  expect(asking(window, 'profile.build')).toHaveLength(1)
})

describe('a profile with unsaved changes', () => {
  const opened = (name: string) => ({ name, source: 'user', file: `/${name}`, text: disk.text, hash: hashOf(disk.text), inheritedLabel: null })
  const made = { name: 'shop', file: '/shop', notes: [] }

  test('that is renamed keeps them under the new name, on the page and on the disk', async () => {
    const window = await openEditor({ 'profile.open': ({ name }: { name: string }) => opened(name), 'profile.rename': () => made })
    window.state().editText('web', changed)
    await vi.waitFor(() => expect(drafts.has('web')).toBe(true))
    window.state().editText('web', `${changed}# more\n`)
    await window.state().renameProfile('web', 'shop')
    expect(window.state()).toMatchObject({ view: { kind: 'editor', name: 'shop' }, panel: { kind: 'profile', name: 'shop' }, drafts: ['shop'] })
    expect(Object.keys(window.state().editors)).toEqual(['shop'])
    expect(window.state().editors.shop).toMatchObject({ name: 'shop', text: `${changed}# more\n`, saved: before, conflict: null })
    await vi.waitFor(() => expect([...drafts.values()]).toMatchObject([{ profile: 'shop', text: `${changed}# more\n` }]))
    await vi.waitFor(() => expect(window.state().editors.shop?.file).toBe('/shop'))
  })

  test('that is taken for gone while it is renamed is the renamed one afterwards', async () => {
    const ready = deferred()
    let hasMoved = false
    const window = await openEditor({
      'profile.open': ({ name }: { name: string }) => {
        if (name === 'web' && hasMoved) throw { code: 'profile-unknown', message: 'There is no profile "web".' }
        return opened(name)
      },
      'profile.rename': () => ready.promise,
    })
    window.state().editText('web', changed)
    hasMoved = true
    const renaming = window.state().renameProfile('web', 'shop')
    await window.state().checkEditors()
    expect(window.state().editors.web?.conflict).toEqual({ theirs: null, hash: '', eol: '\n' })
    ready.resolve(made)
    await renaming
    await vi.waitFor(() => expect(window.state().editors.shop?.conflict).toBeNull())
  })

  test('that is deleted leaves nothing of them, and its editor', async () => {
    const window = await openEditor({ 'profile.remove': () => ({ trash: '/trash/web', notes: [] }) })
    window.state().editText('web', changed)
    await window.state().deleteProfile('web')
    expect(window.state()).toMatchObject({ editors: {}, drafts: [], view: { kind: 'project' } })
    await vi.waitFor(() => expect(asking(window, 'draft.drop').length).toBeGreaterThan(0))
    expect(asking(window, 'draft.keep')).toEqual([])
  })
})
