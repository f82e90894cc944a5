import { describe, expect, test, vi } from 'vitest'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import { fakeProfile, fakeSandbox } from '../dev/scene.ts'
import { asking, createTestApi, deferred, folder, obstacle, project } from '../dev/test-api.ts'
import { currentProject } from './current-project.ts'
import type { LaunchConsent } from './launches-slice.ts'

/** A terminal that says nothing would be shown by then. */
const longerThanSilentMs = 250

describe('a launch', () => {
  test('shows the terminal when it is ready', async () => {
    const { store, state } = createTestApi()
    await store.begin()
    await state().requestLaunch(folder)
    expect(state().view).toEqual({ kind: 'sandbox', id: 's1' })
    expect(state().open.s1).toMatchObject({ terminalId: 't1', project: folder, profile: 'default' })
    expect(state().launches).toEqual({})
  })

  test('does not take the person away from what they look at meanwhile', async () => {
    const ready = deferred()
    const { store, state } = createTestApi({ 'sandbox.launch': () => ready.promise })
    await store.begin()
    const launching = state().requestLaunch(folder)
    state().showProject('/elsewhere')
    ready.resolve({ terminalId: 't1', sandboxId: 's1' })
    await launching
    expect(state().view).toEqual({ kind: 'project', folder: '/elsewhere' })
    expect(state().open.s1).toBeDefined()
  })

  /** A launch whose sandbox is there and has not said a word. */
  const startingLaunch = async (consent: LaunchConsent = {}) => {
    const ready = deferred()
    const { store, state, tell, expected } = createTestApi({
      'sandbox.launch'(_input, { onProgress }) {
        onProgress?.({ kind: 'warning', text: 'A warning.' })
        return ready.promise.then((error) => {
          if (error !== null) throw error
          return { terminalId: 't1', sandboxId: 's1' }
        })
      },
    })
    await store.begin()
    const launching = state().launch(folder, 'default', consent)
    tell({ type: 'starting', project: folder, profile: 'default', terminalId: 't1', sandboxId: 's1' })
    const answer = (error: ErrorReport | null) => {
      ready.resolve(error)
      return launching
    }
    return { state, stream: expected.get('t1')!, succeed: () => answer(null), fail: () => answer({ code: 'podman-failed', message: 'No.' }) }
  }

  test('shows its terminal with the first words in it, and opens its stream before', async () => {
    const { state, stream, succeed } = await startingLaunch()
    expect(state().open).toEqual({})
    stream.onWords()
    expect(state().view).toEqual({ kind: 'sandbox', id: 's1' })
    expect(state().open.s1).toMatchObject({ terminalId: 't1', project: folder })
    await succeed()
    expect(state().view).toEqual({ kind: 'sandbox', id: 's1' })
    expect(stream.isLetGo).toBe(false)
  })

  test('shows the terminal of a sandbox that says nothing for a while, and takes it away when it fails', async () => {
    const { state, stream, fail } = await startingLaunch()
    await vi.waitFor(() => expect(state().view).toEqual({ kind: 'sandbox', id: 's1' }))
    await fail()
    expect(state().open).toEqual({})
    expect(state().view).toEqual({ kind: 'project', folder })
    expect(state().launches[folder]).toMatchObject({ status: 'failed' })
    expect(stream.isLetGo).toBe(true)
  })

  test('that fails before its sandbox has said a word never shows its terminal', async () => {
    const { state, stream, fail } = await startingLaunch()
    await fail()
    await new Promise((resolve) => setTimeout(resolve, longerThanSilentMs))
    expect(state().open).toEqual({})
    expect(state().launches[folder]).toMatchObject({ status: 'failed' })
    expect(stream.isLetGo).toBe(true)
  })

  test('keeps what was seen of a sandbox that ended before the launch was answered', async () => {
    const { state, stream, succeed } = await startingLaunch()
    stream.onWords()
    state().noteExit('s1', 3)
    await succeed()
    expect(state().open.s1).toMatchObject({ exitCode: 3 })
    expect(state().launches).toEqual({})
  })

  test('is not shown again by words that come after its answer', async () => {
    const { state, stream, succeed } = await startingLaunch({ isolation: 'container' })
    await succeed()
    state().showProject(folder)
    stream.onWords()
    expect(state().open.s1).toMatchObject({ warnings: ['A warning.'], chosenIsolation: 'container' })
    expect(state().view).toEqual({ kind: 'project', folder })
  })

  test('that fails keeps its log', async () => {
    const { store, state } = createTestApi({
      'sandbox.launch'(_input, { onProgress }) {
        onProgress?.({ kind: 'step', text: 'Building' })
        onProgress?.({ kind: 'log', text: 'a line' })
        throw { code: 'build-failed', message: 'No.' } satisfies ErrorReport
      },
    })
    await store.begin()
    await state().requestLaunch(folder)
    expect(state().launches[folder]).toMatchObject({ status: 'failed', steps: ['Building'], log: ['a line'], error: { code: 'build-failed' } })
  })

  test('can be cancelled, which is no failure', async () => {
    const { store, state } = createTestApi({
      'sandbox.launch': (_input, { signal }) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject({ code: 'cancelled', message: 'Cancelled.' } satisfies ErrorReport))),
    })
    await store.begin()
    const launching = state().requestLaunch(folder)
    await vi.waitFor(() => expect(state().launches[folder]?.status).toBe('running'))
    state().cancelLaunch(folder)
    await launching
    expect(state().launches[folder]).toMatchObject({ status: 'cancelled', error: null })
  })

  test('of one project is not started twice at once', async () => {
    const window = createTestApi({ 'sandbox.launch': () => new Promise(() => {}) })
    await window.store.begin()
    void window.state().requestLaunch(folder)
    void window.state().requestLaunch(folder)
    expect(asking(window, 'sandbox.launch')).toHaveLength(1)
  })

  test('asks first where no microVM can run, and never takes a container by itself', async () => {
    const window = createTestApi({ 'host.isolation': () => ({ obstacle }) })
    await window.store.begin()
    await window.state().requestLaunch(folder)
    expect(window.state().asking).toBe(folder)
    expect(asking(window, 'sandbox.launch')).toEqual([])
    await window.state().launch(folder, 'default', { isolation: 'container' })
    expect(asking(window, 'sandbox.launch')[0]?.input).toMatchObject({ isolation: 'container', acceptFindings: false })
  })

  test('asks first about a dangerous profile', async () => {
    const dangerous = fakeProfile('default', { findings: [{ level: 'high', rule: 'privileged', message: 'All of it.' }] })
    const window = createTestApi({ 'profile.list': () => [dangerous] })
    await window.store.begin()
    await window.state().requestLaunch(folder)
    expect(window.state().asking).toBe(folder)
    expect(asking(window, 'sandbox.launch')).toEqual([])
  })

  test('that turns out to need a question asks it instead of failing', async () => {
    const isolation = [null, obstacle]
    const window = createTestApi({
      'host.isolation': () => ({ obstacle: isolation.shift() }),
      'sandbox.launch': () => {
        throw { code: 'isolation-unavailable', message: 'No.' } satisfies ErrorReport
      },
    })
    await window.store.begin()
    await window.state().requestLaunch(folder)
    expect(window.state().asking).toBe(folder)
    expect(window.state().launches).toEqual({})
  })

  test('uses the profile that was picked, else the one of the last time', async () => {
    const { store, state } = createTestApi({ 'project.list': () => [{ ...project, lastProfile: 'web' }] })
    await store.begin()
    expect(state().profileFor(folder)).toBe('web')
    state().pickProfile(folder, 'default')
    expect(state().profileFor(folder)).toBe('default')
  })
})

describe('a throwaway sandbox', () => {
  const folder = '/home/mira/.local/state/paddock/tries/0f8fad5b-d9cb-469f-a165-70867728950e/try-web'

  test('is launched without a project, and is what launching again means', async () => {
    const window = createTestApi({ 'profile.try': () => ({ terminalId: 't1', sandboxId: 's1' }) })
    await window.store.begin()
    await window.state().tryProfile('web')
    expect(asking(window, 'profile.try')).toEqual([{ name: 'profile.try', input: { profile: 'web', acceptFindings: false } }])
    expect(asking(window, 'sandbox.launch')).toEqual([])
    expect(window.state().view).toEqual({ kind: 'sandbox', id: 's1' })
    window.state().setSandboxes([{ ...fakeSandbox('x', 'web'), id: 's1', project: folder }])
    expect(currentProject(window.state())).toBe('try-web')
    window.state().closeTab('s1')
    expect(window.state().view).toEqual({ kind: 'project', folder: 'try-web' })
  })

  test('asks what a launch asks', async () => {
    const window = createTestApi({ 'host.isolation': () => ({ obstacle }), 'profile.try': () => ({ terminalId: 't1', sandboxId: 's1' }) })
    await window.store.begin()
    await window.state().tryProfile('web')
    expect(window.state()).toMatchObject({ asking: 'try-web', view: { kind: 'project', folder: 'try-web' } })
    expect(asking(window, 'profile.try')).toEqual([])
    await window.state().launch('try-web', 'web', { isolation: 'container' })
    expect(asking(window, 'profile.try')).toEqual([{ name: 'profile.try', input: { profile: 'web', acceptFindings: false, isolation: 'container' } }])
  })

  test('with another profile is another one', async () => {
    const window = createTestApi({ 'profile.try': () => ({ terminalId: 't1', sandboxId: 's1' }) })
    await window.store.begin()
    await window.state().requestLaunch('try-web', 'default')
    expect(asking(window, 'profile.try')).toMatchObject([{ input: { profile: 'default' } }])
  })
})
