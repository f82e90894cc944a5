import { describe, expect, test } from 'vitest'
import { fakeProfile, fakeProject, fakeSandbox } from '../dev/scene.ts'
import { asking, createTestApi, deferred, folder, obstacle, refused } from '../dev/test-api.ts'

describe('at the start', () => {
  test('listens before it asks, so that news between are kept', async () => {
    const window = createTestApi({
      'sandbox.list'() {
        window.tell({ type: 'sandboxes', revision: 1, sandboxes: [fakeSandbox('new', 'web')] })
        return [fakeSandbox('old', 'web')]
      },
    })
    await window.store.begin()
    expect(window.state().sandboxes?.map(({ id }) => id.slice(0, 3))).toEqual(['new'])
  })

  test('shows the project that was used last', async () => {
    const last = fakeProject('last', { lastOpenedAt: '2026-12-01T00:00:00Z' })
    const window = createTestApi({ 'project.list': () => [fakeProject('pinned', { pinned: true }), last] })
    await window.store.begin()
    expect(window.state().view).toEqual({ kind: 'project', folder: last.folder })
  })

  test('shows what it has when a part fails, and says what failed', async () => {
    const window = createTestApi({
      'profile.list': () => {
        throw refused
      },
    })
    await window.store.begin()
    expect(window.state().projects).toHaveLength(1)
    expect(window.state().profilesError).toEqual(refused)
  })
})

describe('news', () => {
  test('that are older than the last ones are dropped', async () => {
    const { store, state, tell } = createTestApi()
    await store.begin()
    tell({ type: 'sandboxes', revision: 5, sandboxes: [fakeSandbox('a', 'web')] })
    tell({ type: 'sandboxes', revision: 4, sandboxes: [] })
    expect(state().sandboxes).toHaveLength(1)
  })

  test('of one kind do not hold up those of another', async () => {
    const { store, state, tell } = createTestApi()
    await store.begin()
    tell({ type: 'sandboxes', revision: 5, sandboxes: [] })
    tell({ type: 'settings', revision: 2, settings: { theme: 'dark' } })
    expect(state().settings.theme).toBe('dark')
  })

  test('of two lists of profiles the one that was asked for later counts', async () => {
    const late = deferred()
    const answers = [late.promise, [fakeProfile('newer')]]
    const { state } = createTestApi({ 'profile.list': () => answers.shift() })
    const first = state().loadProfiles()
    await state().loadProfiles()
    late.resolve([fakeProfile('older')])
    await first
    expect(state().profiles?.map(({ name }) => name)).toEqual(['newer'])
  })
})

describe('a sandbox', () => {
  const id = fakeSandbox('a1', 'web').id
  const running = { 'sandbox.list': () => [fakeSandbox('a1', 'web')] }

  test('is attached once, however often it is shown', async () => {
    const window = createTestApi(running)
    await window.store.begin()
    await window.state().showSandbox(id)
    await window.state().showSandbox(id)
    expect(asking(window, 'sandbox.attach')).toHaveLength(1)
  })

  test('that cannot be attached says why and can be tried again', async () => {
    const replies = [() => Promise.reject(refused), () => ({ terminalId: 't', sandboxId: id })]
    const { store, state } = createTestApi({ ...running, 'sandbox.attach': () => replies.shift()!() })
    await store.begin()
    await state().showSandbox(id)
    expect(state().open[id]?.error).toEqual(refused)
    await state().attachAgain(id)
    expect(state().open[id]).toMatchObject({ terminalId: 't', error: null })
  })

  test('that ended keeps its place until its tab is closed', async () => {
    const { store, state, tell } = createTestApi(running)
    await store.begin()
    await state().showSandbox(id)
    state().noteExit(id, 3)
    tell({ type: 'sandboxes', revision: 1, sandboxes: [] })
    expect(state().view).toEqual({ kind: 'sandbox', id })
    state().closeTab(id)
    expect(state().view).toEqual({ kind: 'project', folder })
    expect(state().open).toEqual({})
  })

  test('that could not be stopped is reported', async () => {
    const { store, state } = createTestApi({ ...running, 'sandbox.stop': () => Promise.reject(refused) })
    await store.begin()
    expect(await state().stopSandbox(id)).toBe(false)
    expect(state().problem).toEqual({ what: 'The sandbox could not be stopped.', error: refused })
    expect(state().stopping).toEqual([])
  })

  test('is launched again with its own profile on its own project', async () => {
    const window = createTestApi({ 'sandbox.list': () => [fakeSandbox('a1', 'web', { profile: 'web' })] })
    await window.store.begin()
    await window.state().restartSandbox(id)
    expect(window.calls.map(({ name }) => name).slice(-2)).toEqual(['sandbox.stop', 'sandbox.launch'])
    expect(asking(window, 'sandbox.launch')[0]?.input).toEqual({ project: folder, profile: 'web', acceptFindings: false })
  })

  test('whose container was chosen here is launched again in one, and nobody is asked', async () => {
    const window = createTestApi({ 'host.isolation': () => ({ obstacle }) })
    await window.store.begin()
    await window.state().launch(folder, 'default', { isolation: 'container' })
    await window.state().restartSandbox('s1')
    expect(window.state().asking).toBeNull()
    expect(asking(window, 'sandbox.launch').map(({ input }) => input)).toEqual(Array(2).fill({ project: folder, profile: 'default', isolation: 'container', acceptFindings: false }))
  })

  test('that was measured to be a container is asked about: nobody chose it here', async () => {
    const window = createTestApi({ 'sandbox.list': () => [fakeSandbox('a1', 'web', { isolation: 'container' })], 'host.isolation': () => ({ obstacle }) })
    await window.store.begin()
    await window.state().restartSandbox(id)
    expect(window.state().asking).toBe(folder)
    expect(asking(window, 'sandbox.launch')).toEqual([])
  })

  test('that Paddock itself ended says why', async () => {
    const { store, state, tell } = createTestApi(running)
    await store.begin()
    await state().showSandbox(id)
    tell({ type: 'failed', sandboxId: id, error: refused })
    expect(state().open[id]?.failure).toEqual(refused)
  })

  test('of a dangerous profile is launched again only after a yes', async () => {
    const findings = [{ level: 'high' as const, rule: 'privileged', message: 'All power.' }]
    const window = createTestApi({ 'sandbox.list': () => [fakeSandbox('a1', 'web', { isolation: 'container' })], 'profile.list': () => [fakeProfile('default', { findings })] })
    await window.store.begin()
    await window.state().restartSandbox(id)
    expect(window.state().asking).toBe(folder)
    expect(asking(window, 'sandbox.launch')).toEqual([])
  })
})

test('a setting that cannot be saved is taken back and reported', async () => {
  const { store, state } = createTestApi({ 'settings.get': () => ({ theme: 'light' }), 'settings.set': () => Promise.reject(refused) })
  await store.begin()
  expect(await state().changeSettings({ theme: 'dark' })).toBe(false)
  expect(state().settings.theme).toBe('light')
  expect(state().problem?.error).toEqual(refused)
})

test('a project that is removed is not shown any more', async () => {
  const { store, state } = createTestApi({ 'project.remove': () => ({}) })
  await store.begin()
  await state().removeProject(folder)
  expect(state().projects).toEqual([])
  expect(state().view).toEqual({ kind: 'welcome' })
})
