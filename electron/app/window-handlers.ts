import { lstat } from 'node:fs/promises'
import { shell } from 'electron'
import { release, type as osType } from 'node:os'
import type { HandlersOf } from '../../shared/contract/dispatch.ts'
import type { WindowContract } from '../../shared/contract/window-contract.ts'
import { withoutOwnOptions } from '../../shared/domain/launch.ts'
import { isOpenableUrl } from '../../shared/domain/openable-url.ts'
import { microvmObstacle } from '../../shared/domain/microvm.ts'
import { defaultProfile } from '../../shared/domain/profile.ts'
import type { Settings } from '../../shared/domain/settings.ts'
import { quoteWord } from '../../shared/domain/quote-word.ts'
import { PaddockError } from '../../shared/errors/paddock-error.ts'
import { inspectContainers } from '../core/engine/containers.ts'
import type { Drafts } from '../core/profiles/editing/drafts.ts'
import { openProject } from '../core/sandboxes/open-project.ts'
import type { DesktopWindows } from './desktop-windows.ts'
import { createLaunchHandlers, type LaunchServices } from './launch-handlers.ts'
import type { MainWindow } from './main-window.ts'
import type { OfferedFiles } from './offered-files.ts'
import { createPanelHandlers } from './panel-handlers.ts'
import { createProfileDialogs, pickPath } from './profile-dialogs.ts'
import { shareRuns } from './share-runs.ts'
import type { ShellCalls } from './shell-handlers.ts'
import { withNote } from './with-note.ts'

export type WindowHandlers = HandlersOf<WindowContract>

/** What the window's own calls work with. */
export interface WindowServices extends LaunchServices {
  drafts: Drafts
  shells: ShellCalls
  window: MainWindow
  desktopWindows: DesktopWindows
  offered: OfferedFiles
  /** The command's bundle. */
  bundle: string
  version: string
  nextRevision: () => number
  onSettings: (settings: Settings) => void
  /** Tells the person something outside of any page. */
  warn: (message: string) => void
  /** These sandboxes are about to be ended because the person wants it. */
  onEnding: (ids: readonly string[]) => void
}

/** The core's calls and those that only a window makes. */
export function createWindowHandlers(services: WindowServices): WindowHandlers {
  const { core, projects, drafts, terminals, window, version, tell, nextRevision, onSettings, warn, onBuilt, onEnding } = services
  const addProject = async (folder: string) => {
    const { folder: resolved } = await openProject(folder, folder, core.paths).catch((error: unknown) => {
      // What the hint says of the command is no help here.
      throw error instanceof PaddockError ? new PaddockError({ ...error.report, hint: 'Choose the project’s own folder.' }) : error
    })
    await projects.open(resolved)
    return (await projects.list()).find((project) => project.folder === resolved)!
  }
  const known = async (folder: string) => {
    if ((await projects.list()).some((project) => project.folder === folder)) return folder
    throw new PaddockError({ code: 'project-refused', message: `${folder} is not in the list of projects.`, hint: 'Add it first.' })
  }

  return {
    ...core.handlers,
    ...createLaunchHandlers(services),
    ...createProfileDialogs(core, window),
    ...services.shells.handlers,
    ...services.desktopWindows.handlers,
    ...createPanelHandlers(services),
    'app.about': async () => ({
      version,
      electron: process.versions.electron ?? '',
      chrome: process.versions.chrome ?? '',
      node: process.versions.node,
      podman: (await core.podman.try(['--version']).catch(() => null))?.stdout.trim() ?? null,
      os: `${osType()} ${release()}`,
    }),
    async 'app.openExternal'({ url }) {
      if (!isOpenableUrl(url)) throw new PaddockError({ code: 'usage', message: 'Only web addresses are opened.' })
      await shell.openExternal(url)
      return {}
    },
    'host.isolation': async () => ({ obstacle: microvmObstacle(await core.probeMicrovm()) }),
    'settings.get': () => core.settings(),
    async 'settings.set'(change, context) {
      const revision = nextRevision()
      await core.handlers['settings.set'](change, { ...context, onProgress: (progress) => warn(progress.text) })
      const settings = await core.settings()
      onSettings(settings)
      tell({ type: 'settings', revision, settings })
      return settings
    },
    'project.list': () => projects.list(),
    'project.add': ({ folder }) => addProject(folder),
    async 'project.pick'() {
      const folder = await pickPath(window, { title: 'Open a project folder', properties: ['openDirectory', 'createDirectory'] })
      return folder === null ? null : addProject(folder)
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
      const path = await known(folder)
      // An agent that works on the folder above may have put something else in its place.
      const found = await lstat(path).catch(() => null)
      const why = found?.isDirectory() ? await shell.openPath(path) : 'it is no folder any more'
      if (why !== '') throw new PaddockError({ code: 'project-refused', message: `${path} cannot be shown: ${why}.` })
      return {}
    },
    'draft.list': () => drafts.list(),
    'draft.open': ({ profile }) => drafts.open(profile),
    async 'draft.keep'(draft) {
      await drafts.keep(draft)
      return {}
    },
    async 'draft.drop'({ profile }) {
      await drafts.drop(profile)
      return {}
    },
    'mount.pick': () => pickPath(window, { title: 'Mount a folder or a drive', properties: ['openDirectory'] }),
    async 'profile.rename'(input, context) {
      const renamed = await core.handlers['profile.rename'](input, context)
      return withNote(renamed, 'What was not saved stays under the old name', drafts.move(input.name, input.to))
    },
    async 'profile.remove'(input, context) {
      const removed = await core.handlers['profile.remove'](input, context)
      return withNote(removed, 'What was not saved of it is still kept', drafts.drop(input.name))
    },
    // Each change of an image asks for it, and a build changes many: Podman would be asked faster than it answers.
    'profile.list': shareRuns(core.handlers['profile.list']),
    async 'profile.build'(input, context) {
      const tellBuilt = (profile: string, hasWorked: boolean) => context.signal.aborted || onBuilt({ project: null, profile, hasWorked })
      try {
        const done = await core.handlers['profile.build'](input, context)
        if (done.built.length > 0) tellBuilt(done.profile, true)
        return done
      } catch (error) {
        tellBuilt(input.profile ?? defaultProfile, false)
        throw error
      }
    },
    'sandbox.stop'({ ids }, context) {
      onEnding(ids)
      return core.handlers['sandbox.stop']({ ids }, context)
    },
    'sandbox.remove'(input, context) {
      onEnding(input.ids)
      return core.handlers['sandbox.remove'](input, context)
    },
    'sandbox.attach': async ({ id }) => terminals.attach(demandId(id)),
    async 'sandbox.command'({ id: named }) {
      const id = demandId(named)
      const [container] = await inspectContainers(core.podman, [id])
      const words = container?.Config.CreateCommand
      if (!words) throw new PaddockError({ code: 'podman-failed', message: 'Podman does not know by which command this sandbox was made.' })
      return ['podman', ...withoutOwnOptions(words.slice(1))].map(quoteWord).join(' ')
    },
  }
}

/** A word that begins with a dash would be an option to Podman. */
function demandId(id: string): string {
  if (/^[0-9a-f]{12,64}$/.test(id)) return id
  throw new PaddockError({ code: 'usage', message: 'That is not the id of a sandbox.' })
}
