import { dialog, shell } from 'electron'
import { release, type as osType } from 'node:os'
import type { HandlersOf } from '../../shared/contract/dispatch.ts'
import type { WindowContract, WindowEvent } from '../../shared/contract/window-contract.ts'
import { microvmObstacle } from '../../shared/domain/microvm.ts'
import type { Settings } from '../../shared/domain/settings.ts'
import { PaddockError } from '../../shared/errors/paddock-error.ts'
import type { Core } from '../core/core.ts'
import type { Projects } from '../core/projects/projects.ts'
import { openProject } from '../core/sandboxes/open-project.ts'
import type { Terminals } from '../core/terminals/terminals.ts'
import type { MainWindow } from './main-window.ts'
import { quoteForShell } from './quote-for-shell.ts'

export type WindowHandlers = HandlersOf<WindowContract>

/** What the window's own calls work with. */
export interface WindowServices {
  core: Core
  projects: Projects
  terminals: Terminals
  window: MainWindow
  version: string
  tell: (event: WindowEvent) => void
  nextRevision: () => number
  onSettings: (settings: Settings) => void
  /** A build for a launch came to its end; not called for one that was cancelled. */
  onBuilt: (build: { project: string; profile: string; hasWorked: boolean }) => void
}

/** The core's calls and those that only a window makes. */
export function createWindowHandlers({ core, projects, terminals, window, version, tell, nextRevision, onSettings, onBuilt }: WindowServices): WindowHandlers {
  const addProject = async (folder: string) => {
    const { folder: resolved } = await openProject(folder, folder, core.paths)
    await projects.open(resolved)
    return (await projects.list()).find((project) => project.folder === resolved)!
  }
  const known = async (folder: string) => {
    if ((await projects.list()).some((project) => project.folder === folder)) return folder
    throw new PaddockError({ code: 'project-refused', message: `${folder} is not in the list of projects.`, hint: 'Add it first.' })
  }

  return {
    ...core.handlers,
    'app.about': async () => ({
      version,
      electron: process.versions.electron ?? '',
      chrome: process.versions.chrome ?? '',
      node: process.versions.node,
      podman: (await core.podman.try(['--version']).catch(() => null))?.stdout.trim() ?? null,
      os: `${osType()} ${release()}`,
    }),
    async 'app.openExternal'({ url }) {
      const protocol = URL.canParse(url) ? new URL(url).protocol : 'nothing known'
      if (protocol !== 'https:' && protocol !== 'http:') throw new PaddockError({ code: 'usage', message: `Addresses that begin with ${protocol} are not opened.` })
      await shell.openExternal(url)
      return {}
    },
    'host.isolation': async () => ({ obstacle: microvmObstacle(await core.probeMicrovm()) }),
    'settings.get': () => core.settings(),
    async 'settings.set'(change, context) {
      await core.handlers['settings.set'](change, context)
      const settings = await core.settings()
      onSettings(settings)
      tell({ type: 'settings', revision: nextRevision(), settings })
      return settings
    },
    'project.list': () => projects.list(),
    'project.add': ({ folder }) => addProject(folder),
    async 'project.pick'() {
      const parent = window.current()
      const options = { title: 'Open a project folder', properties: ['openDirectory' as const, 'createDirectory' as const] }
      const { filePaths } = await (parent ? dialog.showOpenDialog(parent, options) : dialog.showOpenDialog(options))
      return filePaths[0] === undefined ? null : addProject(filePaths[0])
    },
    async 'project.pin'({ folder, pinned }) {
      await projects.pin(folder, pinned)
      return {}
    },
    async 'project.remove'({ folder }) {
      await projects.remove(folder)
      return {}
    },
    async 'project.reveal'({ folder }) {
      await shell.openPath(await known(folder))
      return {}
    },
    async 'sandbox.launch'({ project, profile, isolation, acceptFindings }, context) {
      let isBuilding = false
      const onProgress: typeof context.onProgress = (progress) => {
        isBuilding ||= progress.kind === 'log'
        context.onProgress(progress)
      }
      const input = { profile, project, cwd: '/', isolation, tty: true, command: [], acceptFindings }
      const tellBuilt = (hasWorked: boolean) => isBuilding && !context.signal.aborted && onBuilt({ project, profile, hasWorked })
      const plan = await core.handlers['sandbox.prepare'](input, { ...context, onProgress }).catch((error: unknown) => {
        tellBuilt(false)
        throw error
      })
      tellBuilt(true)
      await projects.open(plan.project, plan.profile)
      for (const text of plan.notes) context.onProgress({ kind: 'warning', text })
      return terminals.launch(plan)
    },
    'sandbox.attach': async ({ id }) => terminals.attach(demandId(id)),
    async 'sandbox.command'({ id: named }) {
      const id = demandId(named)
      const { stdout } = await core.podman.run(['container', 'inspect', '--format', '{{json .Config.CreateCommand}}', id])
      const words = JSON.parse(stdout) as string[]
      return ['podman', ...words.slice(1)].map(quoteForShell).join(' ')
    },
  }
}

/** A word that begins with a dash would be an option to Podman. */
function demandId(id: string): string {
  if (/^[0-9a-f]{12,64}$/.test(id)) return id
  throw new PaddockError({ code: 'usage', message: 'That is not the id of a sandbox.' })
}
