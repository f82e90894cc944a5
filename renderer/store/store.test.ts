import { afterEach, describe, expect, it, vi } from 'vitest'
import { createFakeApi, failure, type FakeContext, type FakeHandlers } from '../dev/fake-api.ts'
import { sampleProfile, sampleProject, sampleSandbox } from '../dev/samples.ts'
import { createAppStore } from './store.ts'
import { maxLogLines } from './work.ts'

const project = sampleProject('web')
const sandbox = sampleSandbox('web')

async function begin(more: FakeHandlers = {}) {
  const api = createFakeApi({
    'project.list': () => [project],
    'sandbox.list': () => [sandbox],
    'settings.get': () => ({ theme: 'dark' }),
    'profile.list': () => [sampleProfile('default')],
    'host.isolation': () => ({ obstacle: null }),
    'sandbox.attach': ({ id }) => ({ terminalId: `t-${id}`, sandboxId: id }),
    'sandbox.stop': ({ ids }) => ids,
    ...more,
  })
  const store = createAppStore(api)
  await store.getState().begin()
  return { api, store, state: () => store.getState() }
}

/** A launch that the test ends when it wants to. */
function heldLaunch() {
  const held: { context?: FakeContext; finish?: (error?: Error) => void } = {}
  const handlers: FakeHandlers = {
    'sandbox.launch': (_input, context) =>
      new Promise((resolve, reject) => {
        held.context = context
        held.finish = (error) => (error ? reject(error) : resolve({ terminalId: 't-new', sandboxId: 'new' }))
        context.signal.addEventListener('abort', () => reject(failure({ code: 'cancelled', message: 'Cancelled.' })))
      }),
  }
  return { held, handlers }
}

afterEach(() => vi.unstubAllGlobals())

describe('the beginning', () => {
  it('listens before it asks', async () => {
    const { api } = await begin()
    expect(api.calls[0]).toBe('(listen)')
  })
  it('shows the first project', async () => {
    const { state } = await begin()
    expect(state().view).toEqual({ kind: 'project', folder: project.folder })
    expect(state()).toMatchObject({ settings: { theme: 'dark' }, obstacle: null, problem: null })
  })
  it('keeps what an event told while the answer was on its way', async () => {
    const api = createFakeApi({
      'project.list': () => [],
      'settings.get': () => ({}),
      'profile.list': () => [],
      'host.isolation': () => ({ obstacle: null }),
      'sandbox.list': () => {
        api.emit({ type: 'sandboxes', revision: 1, sandboxes: [sandbox] })
        return []
      },
    })
    const store = createAppStore(api)
    await store.getState().begin()
    expect(store.getState().sandboxes).toEqual([sandbox])
  })
  it('says what could not be read, and shows the rest', async () => {
    const { state } = await begin({ 'sandbox.list': () => Promise.reject(failure({ code: 'podman-failed', message: 'Podman did not answer.' })) })
    expect(state().problem?.message).toBe('Podman did not answer.')
    expect(state().projects).toEqual([project])
  })
})

describe('events', () => {
  it('that are older than the last are dropped, each kind by itself', async () => {
    const { api, state } = await begin()
    api.emit({ type: 'sandboxes', revision: 5, sandboxes: [] })
    api.emit({ type: 'sandboxes', revision: 4, sandboxes: [sandbox] })
    api.emit({ type: 'projects', revision: 3, projects: [] })
    expect(state()).toMatchObject({ sandboxes: [], projects: [] })
  })
  it('of changed profiles ask for them again', async () => {
    const { api } = await begin()
    api.emit({ type: 'profiles-changed' })
    expect(api.calls.filter((name) => name === 'profile.list')).toHaveLength(2)
  })
  it('of the connection are kept', async () => {
    const { api, state } = await begin()
    api.emit({ type: 'connection', isConnected: false })
    expect(state().isConnected).toBe(false)
  })
  it('from the tray launch a project at once', async () => {
    const { held, handlers } = heldLaunch()
    const { api, state } = await begin(handlers)
    api.emit({ type: 'command', command: 'launch', subject: project.folder })
    await vi.waitFor(() => expect(held.finish).toBeDefined())
    expect(state().launches[project.folder]).toMatchObject({ profile: 'default', isRunning: true })
  })
})

describe('a launch', () => {
  it('shows what it says, and then its terminal', async () => {
    const { held, handlers } = heldLaunch()
    const { state } = await begin(handlers)
    const done = state().launch(project.folder, 'default', { acceptFindings: false })
    held.context!.onProgress({ kind: 'step', text: 'Building' })
    held.context!.onProgress({ kind: 'log', text: 'a line' })
    expect(state().launches[project.folder]).toMatchObject({ steps: ['Building'], log: ['a line'], isRunning: true })
    held.finish!()
    await done
    expect(state()).toMatchObject({ launches: {}, view: { kind: 'sandbox', id: 'new' }, terminals: { new: { terminalId: 't-new' } } })
  })
  it('does not pull a person away who looks at something else by now', async () => {
    const { held, handlers } = heldLaunch()
    const { state } = await begin(handlers)
    const done = state().launch(project.folder, 'default', { acceptFindings: false })
    state().show({ kind: 'profile', name: 'default' })
    held.finish!()
    await done
    expect(state().view).toEqual({ kind: 'profile', name: 'default' })
  })
  it('that fails keeps its log and its error', async () => {
    const { held, handlers } = heldLaunch()
    const { state } = await begin(handlers)
    const done = state().launch(project.folder, 'default', { acceptFindings: false })
    held.context!.onProgress({ kind: 'log', text: 'what it said' })
    held.finish!(failure({ code: 'build-failed', message: 'The build failed.' }))
    await done
    expect(state().launches[project.folder]).toMatchObject({ isRunning: false, log: ['what it said'], error: { code: 'build-failed' } })
  })
  it('that is cancelled leaves nothing', async () => {
    const { handlers } = heldLaunch()
    const { state } = await begin(handlers)
    const done = state().launch(project.folder, 'default', { acceptFindings: false })
    state().cancelLaunch(project.folder)
    await done
    expect(state()).toMatchObject({ launches: {}, problem: null, view: { kind: 'project' } })
  })
  it('is not started twice for a project', async () => {
    const { held, handlers } = heldLaunch()
    const { api, state } = await begin(handlers)
    const done = state().launch(project.folder, 'default', { acceptFindings: false })
    await state().launch(project.folder, 'default', { acceptFindings: false })
    held.finish!()
    await done
    expect(api.calls.filter((name) => name === 'sandbox.launch')).toHaveLength(1)
  })
  it('keeps only the end of a long log', async () => {
    const { held, handlers } = heldLaunch()
    const { state } = await begin(handlers)
    const done = state().launch(project.folder, 'default', { acceptFindings: false })
    for (let line = 1; line <= maxLogLines + 10; line++) held.context!.onProgress({ kind: 'log', text: `${line}` })
    const { log } = state().launches[project.folder]!
    expect([log.length, log[0], log.at(-1)]).toEqual([maxLogLines, '11', `${maxLogLines + 10}`])
    held.finish!()
    await done
  })
})

describe('a quick launch', () => {
  it('takes the last profile', async () => {
    const { api, state } = await begin({
      'project.list': () => [{ ...project, lastProfile: 'node' }],
      'profile.list': () => [sampleProfile('default'), sampleProfile('node')],
      'sandbox.launch': () => ({ terminalId: 't', sandboxId: 'new' }),
    })
    await state().quickLaunch(project.folder)
    expect(api.inputs.at(-1)).toEqual(['sandbox.launch', expect.objectContaining({ project: project.folder, profile: 'node', acceptFindings: false })])
  })
  it('only shows the project where a person has to decide', async () => {
    const { api, state } = await begin({ 'host.isolation': () => ({ obstacle: { why: 'no /dev/kvm', fix: 'Switch it on.' } }) })
    await state().quickLaunch(project.folder)
    expect(api.calls).not.toContain('sandbox.launch')
    expect(state().view).toEqual({ kind: 'project', folder: project.folder })
  })
})

describe('a sandbox', () => {
  it('is attached once, however often it is shown', async () => {
    const { api, state } = await begin()
    await state().attach(sandbox.id)
    await state().attach(sandbox.id)
    expect(api.calls.filter((name) => name === 'sandbox.attach')).toHaveLength(1)
  })
  it('that ended keeps its tab until the person closes it', async () => {
    const { api, state } = await begin()
    await state().attach(sandbox.id)
    state().noteExit(sandbox.id, 3)
    api.emit({ type: 'sandboxes', revision: 1, sandboxes: [] })
    expect(state()).toMatchObject({ view: { kind: 'sandbox', id: sandbox.id }, ended: { [sandbox.id]: { exitCode: 3 } } })
    state().closeTab(sandbox.id)
    expect(state()).toMatchObject({ view: { kind: 'project', folder: sandbox.project }, ended: {}, terminals: {} })
  })
  it('that vanished with nothing to tell gives its place to its project', async () => {
    const { api, state } = await begin({ 'sandbox.attach': () => Promise.reject(failure({ code: 'sandbox-unknown', message: 'It is gone.' })) })
    await state().attach(sandbox.id)
    api.emit({ type: 'sandboxes', revision: 1, sandboxes: [] })
    expect(state().view).toEqual({ kind: 'project', folder: sandbox.project })
  })
  it('is restarted with its profile and its isolation', async () => {
    const { api, state } = await begin({ 'sandbox.launch': () => ({ terminalId: 't', sandboxId: 'new' }) })
    await state().attach(sandbox.id)
    await state().restart(sandbox.id)
    expect(api.inputs.slice(-2)).toEqual([
      ['sandbox.stop', { ids: [sandbox.id] }],
      ['sandbox.launch', { project: sandbox.project, profile: 'default', isolation: 'microvm', acceptFindings: false }],
    ])
    expect(state().view).toEqual({ kind: 'sandbox', id: 'new' })
  })
  it('that cannot be stopped is not launched again', async () => {
    const { api, state } = await begin({ 'sandbox.stop': () => Promise.reject(failure({ code: 'podman-failed', message: 'No.' })) })
    await state().restart(sandbox.id)
    expect(api.calls).not.toContain('sandbox.launch')
    expect(state().problem?.message).toBe('No.')
  })
  it('gives its command to the clipboard', async () => {
    const writeText = vi.fn()
    vi.stubGlobal('navigator', { clipboard: { writeText } })
    const { state } = await begin({ 'sandbox.command': () => 'podman run x' })
    await state().copyCommand(sandbox.id)
    expect(writeText).toHaveBeenCalledWith('podman run x')
  })
})

describe('a build', () => {
  it('that is done leaves nothing, and one that fails leaves its error', async () => {
    const answers = [Promise.resolve({ profile: 'default', image: 'i', built: [] }), Promise.reject(failure({ code: 'build-failed', message: 'It failed.' }))]
    answers[1]!.catch(() => {})
    const { state } = await begin({ 'profile.build': () => answers.shift()! })
    await state().build('default')
    expect(state().builds).toEqual({})
    await state().build('default')
    expect(state().builds.default).toMatchObject({ isRunning: false, error: { code: 'build-failed' } })
  })
})
