import { describe, expect, test } from 'vitest'
import { activePane, ownPane, panesOf, plainLayout, addPane } from '../../shared/domain/shell-layout.ts'
import { fakeSandbox } from '../dev/scene.ts'
import { asking, createTestApi, deferred, refused } from '../dev/test-api.ts'

const { id } = fakeSandbox('a1', 'web')
const running = { 'sandbox.list': () => [fakeSandbox('a1', 'web')], 'shell.arrange': () => ({}), 'shell.list': () => ({ shells: [], layout: null }) }

/** A window whose main process opens shells s1, s2 …, and closes them while nothing runs. */
function open(answers: Parameters<typeof createTestApi>[0] = {}) {
  let opened = 0
  const window = createTestApi({
    ...running,
    'shell.open': () => ({ terminalId: `s${++opened}`, number: opened }),
    'shell.close': () => ({ running: null }),
    ...answers,
  })
  const panes = () => window.state().shells[id]?.layout.tabs.map(panesOf)
  const keys = () => activePane(window.state().shells[id]?.layout ?? plainLayout)
  return { ...window, panes, keys }
}

describe('a shell', () => {
  test('has its pane at once, and its terminal when it is there', async () => {
    const reply = deferred()
    const { state, panes, keys } = open({ 'shell.open': () => reply.promise })
    const opening = state().openShell(id, 'tab')
    expect(panes()).toEqual([[ownPane], [keys()]])
    expect(state().shells[id]!.shells[keys()]).toMatchObject({ terminalId: null, error: null })
    reply.resolve({ terminalId: 's1', number: 1 })
    await opening
    expect(state().shells[id]!.shells.s1).toMatchObject({ terminalId: 's1', number: 1 })
    expect([panes(), keys()]).toEqual([[[ownPane], ['s1']], 's1'])
  })

  test('that is closed while it is being opened is ended when it comes', async () => {
    const reply = deferred()
    const window = open({ 'shell.open': () => reply.promise })
    const opening = window.state().openShell(id, 'beside')
    await window.state().closeShell(id, window.keys())
    expect(window.state().shells).toEqual({})
    reply.resolve({ terminalId: 's1', number: 1 })
    await opening
    expect(asking(window, 'shell.close').map(({ input }) => input)).toEqual([{ terminalId: 's1', force: true }])
    expect(window.state().shells).toEqual({})
  })

  test('that is closed while it is being opened leaves no pane, whenever a list has it', async () => {
    const [reply, late] = [deferred(), deferred()]
    const lists = [() => ({ shells: [{ terminalId: 's1', number: 1 }], layout: null }), () => late.promise]
    const { state, keys } = open({ 'shell.open': () => reply.promise, 'shell.list': () => lists.shift()!() })
    const opening = state().openShell(id, 'beside')
    const pane = keys()
    // The main process has it already, and the page, which does not know yet that it is the same, hears of it.
    await state().loadShells(id)
    expect(Object.keys(state().shells[id]!.shells).sort()).toEqual([pane, 's1'])
    const loading = state().loadShells(id)
    await state().closeShell(id, pane)
    reply.resolve({ terminalId: 's1', number: 1 })
    await opening
    late.resolve({ shells: [{ terminalId: 's1', number: 1 }], layout: null })
    await loading
    expect(state().shells).toEqual({})
  })

  test('that cannot be opened says why in its place, and can be tried again there', async () => {
    const replies = [() => Promise.reject(refused), () => ({ terminalId: 's1', number: 1 })]
    const { state, panes, keys } = open({ 'shell.open': () => replies.shift()!() })
    await state().openShell(id, 'beside')
    expect(state().shells[id]!.shells[keys()]?.error).toEqual(refused)
    await state().renewShell(id, keys())
    expect(panes()).toEqual([[ownPane, 's1']])
    expect(state().shells[id]!.shells.s1?.error).toBeNull()
  })

  test('in which nothing runs is closed without a question', async () => {
    const { state } = open()
    await state().openShell(id, 'tab')
    await state().closeShell(id, 's1')
    expect(state().shells).toEqual({})
  })

  test('in which something runs is closed after a yes only', async () => {
    const window = open({ 'shell.close': ({ force }: { force: boolean }) => ({ running: force ? null : 'vim' }) })
    const { state, keys } = window
    await state().openShell(id, 'tab')
    await state().openShell(id, 'tab')
    await state().closeShell(id, 's1')
    expect([state().shells[id]!.shells.s1?.asks, keys()]).toEqual(['vim', 's1'])
    state().keepShell(id, 's1')
    expect(state().shells[id]!.shells.s1?.asks).toBeNull()
    await state().closeShell(id, 's1', true)
    expect(Object.keys(state().shells[id]!.shells)).toEqual(['s2'])
    expect(asking(window, 'shell.close').at(-1)?.input).toEqual({ terminalId: 's1', force: true })
  })

  test('that the person left goes away, and the last one leaves the plain view', async () => {
    const { state, panes } = open()
    await state().openShell(id, 'tab')
    await state().openShell(id, 'beside')
    state().noteShellExit(id, 's2', 0)
    expect(panes()).toEqual([[ownPane], ['s1']])
    state().noteShellExit(id, 's1', 0)
    expect(state().shells).toEqual({})
  })

  test('whose connection broke stays to be read, and a new one takes its place', async () => {
    const window = open()
    const { state, panes } = window
    await state().openShell(id, 'beside')
    state().noteShellExit(id, 's1', null)
    expect(state().shells[id]!.shells.s1?.exitCode).toBeNull()
    await state().renewShell(id, 's1')
    expect(panes()).toEqual([[ownPane, 's2']])
    expect(asking(window, 'shell.close').map(({ input }) => input)).toEqual([{ terminalId: 's1', force: true }])
  })
})

describe('a page that comes anew', () => {
  const shells = [{ terminalId: 's1', number: 1 }, { terminalId: 's2', number: 3 }]

  test('finds the shells where they were', async () => {
    const layout = addPane(addPane(plainLayout, 's1', 'beside'), 's2', 'tab')
    const { store, state, panes, keys } = open({ 'shell.list': () => ({ shells, layout }) })
    await store.begin()
    await state().showSandbox(id)
    expect([panes(), keys()]).toEqual([[[ownPane, 's1'], ['s2']], 's2'])
    expect(state().shells[id]!.shells.s2).toMatchObject({ terminalId: 's2', number: 3 })
  })

  test('lets the last words be read of one that failed before it came', async () => {
    const { store, state } = open({ 'shell.list': () => ({ shells, layout: null }) })
    await store.begin()
    await state().showSandbox(id)
    state().noteShellExit(id, 's1', 127)
    state().noteShellExit(id, 's2', 0)
    expect(Object.values(state().shells[id]!.shells)).toMatchObject([{ pane: 's1', exitCode: 127 }])
  })

  test('shows a shell once that it finds while it is being opened', async () => {
    const reply = deferred()
    const { state, panes, keys } = open({ 'shell.open': () => reply.promise, 'shell.list': () => ({ shells: [{ terminalId: 's1', number: 1 }], layout: null }) })
    const opening = state().openShell(id, 'beside')
    await state().loadShells(id)
    reply.resolve({ terminalId: 's1', number: 1 })
    await opening
    expect(panes()!.flat().toSorted()).toEqual(['s1', ownPane])
    expect(Object.keys(state().shells[id]!.shells)).toEqual(['s1'])
    expect(panes()!.flat()).toContain(keys())
  })

  test('has no group where there are none', async () => {
    const { store, state } = open()
    await store.begin()
    await state().showSandbox(id)
    expect(state().shells).toEqual({})
  })
})

test('the main process keeps how they are arranged, each change', async () => {
  const window = open()
  await window.state().openShell(id, 'tab')
  window.state().stepPane(id, 1)
  const kept = asking(window, 'shell.arrange').map(({ input }) => input as { id: string })
  expect(kept.at(-1)).toEqual({ id, layout: window.state().shells[id]!.layout })
  expect(window.keys()).toBe(ownPane)
})

test('a tab that is closed takes its shells with it', async () => {
  const window = open()
  await window.store.begin()
  await window.state().showSandbox(id)
  await window.state().openShell(id, 'tab')
  window.state().closeTab(id)
  expect(window.state().shells).toEqual({})
  expect(asking(window, 'shell.close').map(({ input }) => input)).toEqual([{ terminalId: 's1', force: true }])
})

test('a launch asks for no shells', async () => {
  const window = open()
  await window.store.begin()
  await window.state().launch('/home/mira/code/web', 'default', {})
  expect(window.calls.filter(({ name }) => name.startsWith('shell.'))).toEqual([])
})
