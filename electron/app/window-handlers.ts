import { dialog, shell } from 'electron'
import { release, type as osType } from 'node:os'
import type { HandlersOf } from '../../shared/contract/dispatch.ts'
import type { WindowContract, WindowEvent } from '../../shared/contract/window-contract.ts'
import { microvmObstacle } from '../../shared/domain/microvm.ts'
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
}

/** The core's calls and those that only a window makes. */
export function createWindowHandlers({ core, projects, terminals, window, version, tell, nextRevision }: WindowServices): WindowHandlers {
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
      const { protocol } = new URL(url)
      if (protocol !== 'https:' && protocol !== 'http:') throw new PaddockError({ code: 'usage', message: `Addresses that begin with ${protocol} are not opened.` })
      await shell.openExternal(url)
      return {}
    },
    'host.isolation': async () => ({ obstacle: microvmObstacle(await core.probeMicrovm()) }),
    'settings.get': () => core.settings(),
    async 'settings.set'(change, context) {
      await core.handlers['settings.set'](change, context)
      const settings = await core.settings()
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
      const plan = await core.handlers['sandbox.prepare']({ profile, project, cwd: '/', isolation, tty: true, command: [], acceptFindings }, context)
      await projects.open(plan.project, plan.profile)
      for (const text of plan.notes) context.onProgress({ kind: 'warning', text })
      return terminals.launch(plan)
    },
    'sandbox.attach': async ({ id }) => terminals.attach(id),
    async 'sandbox.command'({ id }) {
      const { stdout } = await core.podman.run(['container', 'inspect', '--format', '{{json .Config.CreateCommand}}', id])
      const words = JSON.parse(stdout) as string[]
      return ['podman', ...words.slice(1)].map(quoteForShell).join(' ')
    },
  }
}
