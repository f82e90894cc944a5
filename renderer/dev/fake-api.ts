import type { Progress } from '../../shared/contract/contract.ts'
import type { Reply } from '../../shared/contract/dispatch.ts'
import type { WindowEvent } from '../../shared/contract/window-contract.ts'
import { tryName } from '../../shared/domain/try-folder.ts'
import type { Api } from '../api/api.ts'
import { buildLines, editedBuildLines, failedBuild, failedEdit } from './fake-build.ts'
import { openFakeDesktop } from './fake-desktop.ts'
import { panelAnswers } from './fake-panels.ts'
import { profileAnswers } from './fake-profiles.ts'
import { openFakeTerminal } from './fake-terminal.ts'
import { fakeSandbox, type Scene } from './scene.ts'

/** A main process that answers from a scene, for looking at the window and for its tests. */
export function createFakeApi(scene: Scene): { api: Api; tell: (event: WindowEvent) => void } {
  const listeners = new Set<(event: WindowEvent) => void>()
  const state = { revision: 0, launches: 0, shells: 0 }
  const tell = (event: WindowEvent) => listeners.forEach((listener) => listener(event))
  const tellProjects = () => tell({ type: 'projects', revision: ++state.revision, projects: scene.projects })
  const tellSandboxes = () => tell({ type: 'sandboxes', revision: ++state.revision, sandboxes: scene.sandboxes })
  const projectOf = (folder: string) => scene.projects.find((project) => project.folder === folder)!

  const answers: Record<string, (input: never) => unknown> = {
    ...profileAnswers(scene),
    ...panelAnswers(scene),
    'app.about': () => ({ version: '0.1.0', electron: '45.5.0', chrome: '150.0.0.0', node: '24.4.0', podman: 'podman version 5.4.2', os: 'Linux 6.12' }),
    'app.openExternal': () => ({}),
    'host.isolation': () => ({ obstacle: scene.obstacle }),
    'doctor.check': () => scene.checks,
    'settings.get': () => scene.settings,
    'settings.set': (change: object) => (scene.settings = { ...scene.settings, ...change }),
    'profile.list': () => scene.profiles,
    'profile.upgrade': () => scene.upgrade,
    'profile.pickImport': () => scene.imported,
    'profile.pickExport': () => null,
    'project.list': () => scene.projects,
    'project.pick': () => null,
    'project.pin': ({ folder, pinned }: { folder: string; pinned: boolean }) => {
      projectOf(folder).pinned = pinned
      tellProjects()
      return {}
    },
    'project.remove': ({ folder }: { folder: string }) => {
      scene.projects = scene.projects.filter((project) => project.folder !== folder)
      tellProjects()
      return {}
    },
    'project.reveal': () => ({}),
    'sandbox.list': () => scene.sandboxes,
    'sandbox.attach': ({ id }: { id: string }) => ({ terminalId: `terminal ${id}`, sandboxId: id }),
    'shell.open': () => ({ terminalId: `shell ${++state.shells}`, number: state.shells }),
    'shell.list': () => ({ shells: [], layout: null }),
    'shell.arrange': () => ({}),
    'shell.close': ({ force }: { force: boolean }) => ({ running: force ? null : 'npm run dev' }),
    'sandbox.command': ({ id }: { id: string }) => `podman run --interactive --tty --rm --read-only --cap-drop=ALL --security-opt=no-new-privileges --runtime=krun --name=${id.slice(0, 12)} localhost/paddock:latest`,
    'sandbox.stop': ({ ids }: { ids: string[] }) => {
      scene.sandboxes = scene.sandboxes.filter(({ id }) => !ids.includes(id))
      setTimeout(tellSandboxes, 50)
      return ids
    },
  }

  const build = async ({ profile }: { profile: string }, tellProgress: (progress: Progress) => void): Promise<Reply<unknown>> => {
    for (const progress of editedBuildLines) tellProgress(progress)
    return scene.launch === 'fails' ? { ok: false, error: failedEdit } : { ok: true, value: { profile, image: '', built: [profile] } }
  }
  const launch = async ({ project, profile, isolation }: { project: string; profile: string; isolation?: 'container' }, tellProgress: (progress: Progress) => void, signal?: AbortSignal): Promise<Reply<unknown>> => {
    if (scene.launch !== 'succeeds') {
      for (const progress of buildLines) tellProgress(progress)
      if (scene.launch === 'fails') return { ok: false, error: failedBuild }
      await new Promise((resolve) => signal?.addEventListener('abort', resolve))
      return { ok: false, error: { code: 'cancelled', message: 'Cancelled.' } }
    }
    const sandbox = fakeSandbox(`f${++state.launches}`, project.split('/').at(-1)!, { profile, project, isolation: isolation ?? 'microvm', startedAt: new Date().toISOString() })
    scene.sandboxes = [...scene.sandboxes, sandbox]
    setTimeout(tellSandboxes, 50)
    return { ok: true, value: { terminalId: `terminal ${sandbox.id}`, sandboxId: sandbox.id } }
  }

  const call = async (name: string, input: unknown, options: { onProgress?: (progress: Progress) => void; signal?: AbortSignal } = {}) => {
    if (scene.silent.includes(name)) return new Promise(() => {})
    const error = scene.errors[name]
    if (error) return { ok: false, error }
    if (name === 'profile.try') return launch({ project: tryName((input as { profile: string }).profile), ...(input as object) } as never, options.onProgress ?? (() => {}), options.signal)
    if (name === 'profile.build') return build(input as never, options.onProgress ?? (() => {}))
    if (name === 'sandbox.launch') return launch(input as never, options.onProgress ?? (() => {}), options.signal)
    const answer = answers[name]
    return answer ? { ok: true, value: await answer(input as never) } : { ok: false, error: { code: 'internal', message: `The scene does not answer ${name}.` } }
  }

  return {
    tell,
    api: {
      call: call as Api['call'],
      onEvent(listener) {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      openTerminal: openFakeTerminal,
      expectTerminal: () => () => {},
      openDesktop: (_sandboxId, onMessage) => openFakeDesktop(scene.desktop, onMessage),
      offerFiles: async (files) => ({ offerId: 'offer', names: files.map(({ name }) => name) }),
      pathOf: (file) => `/home/mira/code/${file.name}`,
    },
  }
}
