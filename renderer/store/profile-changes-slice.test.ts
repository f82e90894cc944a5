import { describe, expect, test } from 'vitest'
import { fakeProfile } from '../dev/scene.ts'
import { asking, createTestApi, deferred, refused } from '../dev/test-api.ts'

const made = (name: string, notes: string[] = []) => ({ name, file: `/profiles/${name}/Containerfile`, notes })

describe('a change of a profile', () => {
  test('shows what was made once it is listed, and asks no more', async () => {
    const lists = [[fakeProfile('default')], [fakeProfile('default'), fakeProfile('new')]]
    const window = createTestApi({ 'profile.list': () => lists.shift(), 'profile.create': () => made('new') })
    await window.store.begin()
    window.state().startTask({ kind: 'new' })
    await window.state().createProfile('new', 'default')
    expect(window.state()).toMatchObject({ task: null, taskError: null, isTaskBusy: false, panel: { kind: 'profile', name: 'new' }, outcomes: {} })
    expect(window.state().profiles?.map(({ name }) => name)).toContain('new')
    expect(asking(window, 'profile.create')).toEqual([{ name: 'profile.create', input: { name: 'new', from: 'default' } }])
  })

  test('that is refused keeps the question and says why beside it', async () => {
    const { state } = createTestApi({
      'profile.rename': () => {
        throw refused
      },
    })
    state().startTask({ kind: 'rename', name: 'web' })
    await state().renameProfile('web', 'shop')
    expect(state()).toMatchObject({ task: { kind: 'rename', name: 'web' }, taskError: refused, isTaskBusy: false, problem: null })
    state().startTask(null)
    expect(state().taskError).toBeNull()
  })

  test('is made once, however often it is asked for while it is under way', async () => {
    const ready = deferred()
    const window = createTestApi({ 'profile.duplicate': () => ready.promise })
    window.state().startTask({ kind: 'duplicate', name: 'web' })
    const first = window.state().duplicateProfile('web', 'copy')
    await window.state().duplicateProfile('web', 'copy')
    ready.resolve(made('copy'))
    await first
    expect(asking(window, 'profile.duplicate')).toHaveLength(1)
  })

  test('leaves a question alone that was asked meanwhile', async () => {
    const ready = deferred()
    const { state } = createTestApi({ 'profile.remove': () => ready.promise })
    state().startTask({ kind: 'delete', name: 'web' })
    const deleting = state().deleteProfile('web')
    state().startTask({ kind: 'new' })
    ready.resolve({ trash: '/trash/web', notes: [] })
    await deleting
    expect(state().task).toEqual({ kind: 'new' })
    expect(state().outcomes.web).toEqual({ what: 'web was moved to the trash.', path: '/trash/web', notes: [] })
  })

  test('says nothing of an earlier profile of the same name', async () => {
    const { state } = createTestApi({ 'profile.remove': () => ({ trash: '/trash/web', notes: [] }), 'profile.create': () => made('web') })
    await state().deleteProfile('web')
    await state().createProfile('web', 'default')
    expect(state()).toMatchObject({ panel: { kind: 'profile', name: 'web' }, outcomes: {} })
  })

  test('opens the panel of the profile that it is asked about', () => {
    const { state } = createTestApi()
    state().startTask({ kind: 'delete', name: 'web' })
    expect(state().panel).toEqual({ kind: 'profile', name: 'web' })
  })
})

describe('an import', () => {
  test('shows the profile and what was not taken over, and ends the question for a new one', async () => {
    const { state } = createTestApi({ 'profile.pickImport': () => made('shop', ['A mount was left out.']) })
    state().startTask({ kind: 'new' })
    await state().importProfile('folder')
    expect(state()).toMatchObject({ task: null, panel: { kind: 'profile', name: 'shop' }, outcomes: { shop: { notes: ['A mount was left out.'] } } })
    state().dismissOutcome('shop')
    expect(state().outcomes).toEqual({})
  })

  test.each(['profile.pickImport', 'profile.pickExport'])('nothing happens when the dialog of %s is closed', async (name) => {
    const { state } = createTestApi({ [name]: () => null })
    await (name === 'profile.pickImport' ? state().importProfile('file') : state().exportProfile('web'))
    expect(state()).toMatchObject({ panel: null, outcomes: {}, problem: null })
  })

  test('that fails says so', async () => {
    const { state } = createTestApi({
      'profile.pickImport': () => {
        throw refused
      },
    })
    await state().importProfile('file')
    expect(state().problem).toEqual({ what: 'Nothing was imported.', error: refused })
  })
})

test('the base is refreshed in the panel of the profile that stands on it, and trying again means the same', async () => {
  const window = createTestApi({
    'profile.build': () => {
      throw refused
    },
  })
  await window.store.begin()
  await window.state().refreshBase('web')
  expect(window.state().panel).toEqual({ kind: 'profile', name: 'base' })
  expect(asking(window, 'profile.build')).toEqual([{ name: 'profile.build', input: { profile: 'base', force: true, pull: true } }])
  expect(window.state().builds.base).toMatchObject({ status: 'failed', pull: true })
})
