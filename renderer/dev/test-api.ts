import type { Progress } from '../../shared/contract/contract.ts'
import type { WindowEvent } from '../../shared/contract/window-contract.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import type { Api } from '../api/api.ts'
import { fakeProfile, fakeProject } from './scene.ts'
import { createAppStore } from '../store/store.ts'

type Answer = (input: never, options: { onProgress?: (progress: Progress) => void; signal?: AbortSignal }) => unknown

export const folder = '/home/mira/code/web'
export const project = fakeProject('web')
export const refused: ErrorReport = { code: 'podman-failed', message: 'Podman does not answer.' }
export const obstacle = { why: 'this host has no /dev/kvm', fix: 'Switch virtualisation on.' }

/** A main process in the hands of the test: each call is answered by a function, or by a failure that is thrown. */
export function createTestApi(answers: Record<string, Answer> = {}) {
  const all: Record<string, Answer> = {
    'project.list': () => [project],
    'profile.list': () => [fakeProfile('default'), fakeProfile('web')],
    'sandbox.list': () => [],
    'settings.get': () => ({}),
    'desktop.windows': () => [],
    'settings.set': (change) => change,
    'host.isolation': () => ({ obstacle: null }),
    'sandbox.launch': () => ({ terminalId: 't1', sandboxId: 's1' }),
    'sandbox.attach': ({ id }: { id: string }) => ({ terminalId: `t ${id}`, sandboxId: id }),
    'sandbox.stop': ({ ids }: { ids: string[] }) => ids,
    ...answers,
  }
  const calls: { name: string; input: unknown }[] = []
  const listeners: ((event: WindowEvent) => void)[] = []
  /** Terminals whose streams were opened before their screens. */
  const expected = new Map<string, { onWords: () => void; isLetGo: boolean }>()
  const api: Api = {
    async call(name, input, options = {}) {
      calls.push({ name, input })
      try {
        return { ok: true, value: (await all[name]!(input as never, options)) as never }
      } catch (error) {
        return { ok: false, error: error as ErrorReport }
      }
    },
    onEvent(listener) {
      listeners.push(listener)
      return () => {}
    },
    openDesktop: () => ({ send() {}, close() {} }),
    openTerminal: () => ({ send() {}, close() {} }),
    expectTerminal(terminalId, onWords) {
      const one = { onWords, isLetGo: false }
      expected.set(terminalId, one)
      return () => {
        one.isLetGo = true
      }
    },
    offerFiles: async (files) => ({ offerId: 'offer', names: files.map(({ name }) => name) }),
    pathOf: (file) => file.name,
  }
  const store = createAppStore(api)
  return { api, store, calls, expected, tell: (event: WindowEvent) => listeners.forEach((listener) => listener(event)), state: () => store.getState() }
}

/** A promise that the test settles: Node 20 has no `Promise.withResolvers`. */
export function deferred() {
  let resolve!: (value: unknown) => void
  const promise = new Promise<unknown>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

export const asking = (names: { calls: { name: string; input: unknown }[] }, name: string) => names.calls.filter((call) => call.name === name)
