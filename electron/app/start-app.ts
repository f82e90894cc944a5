import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { app, dialog, ipcMain } from 'electron'
import type { WindowEvent } from '../../shared/contract/window-contract.ts'
import type { Settings } from '../../shared/domain/settings.ts'
import { triedProfile } from '../../shared/domain/try-folder.ts'
import { showNotification } from './desktop-notification.ts'
import { createDesktopStreams } from './desktop-streams.ts'
import { createDesktopWindows } from './desktop-windows.ts'
import { followSandboxes } from './live-sandboxes.ts'
import type { MainWindow, MainWindowOptions } from './main-window.ts'
import { setMenu } from './menu.ts'
import { trayModel, type TrayAction } from './menu-model.ts'
import { createNotifications, type Place } from './notifications.ts'
import { createOfferedFiles } from './offered-files.ts'
import { askAboutRunning, askToQuitAnyway } from './quit.ts'
import { savePicture } from './save-picture.ts'
import { setTheme } from './set-theme.ts'
import { createShellCalls } from './shell-handlers.ts'
import { createTray } from './tray.ts'
import { createWindowHandlers } from './window-handlers.ts'
import { createCore } from '../core/core.ts'
import { bundledProfilesFolder } from '../core/profiles/bundled-profiles.ts'
import { createDrafts } from '../core/profiles/editing/drafts.ts'
import { type ProfilesWatch, watchProfiles } from '../core/profiles/watch-profiles.ts'
import { createProjects } from '../core/projects/projects.ts'
import type { LoadedSettings } from '../core/store/settings.ts'
import { createTryFolders } from '../core/sandboxes/try-folders.ts'
import { createTerminals } from '../core/terminals/terminals.ts'
import { bindCalls } from '../ipc/bind-calls.ts'
import { bindDesktops } from '../ipc/bind-desktops.ts'
import { bindOffers } from '../ipc/bind-offers.ts'
import { bindTerminals } from '../ipc/bind-terminals.ts'
import { createSenders } from '../ipc/check-sender.ts'

/** What there is when the window has been opened, and its page is on its way. */
export interface Beginning {
  window: MainWindow
  /** How its pages are made, and their icon. */
  page: { preload: string; icon: string }
  /** Folder of the built app. */
  here: string
  /** Folder that this start was given. */
  given: string | null
  settings: LoadedSettings
}

/** What the main window tells the app behind it. */
export type WindowDuties = Pick<MainWindowOptions, 'keepsRunning' | 'onFocus' | 'onClose'>

const loadTerminalsAfterMs = 500
/** A Podman that hangs does not keep the app from quitting. */
const callOffWithinMs = 10_000

/** Composition root: builds the core, binds the contract, and what else the app is beside its window. */
export function startApp({ window, page, here, given, settings: { settings, warnings } }: Beginning): WindowDuties {
  const core = createCore({ bundledProfiles: bundledProfilesFolder(here) })
  const state: { isQuitting: boolean; quitting: Promise<void> | null; revision: number; profiles: ProfilesWatch | null } = { isQuitting: false, quitting: null, revision: 0, profiles: null }
  const nextRevision = () => ++state.revision
  const desktopWindows = createDesktopWindows({
    ...page,
    sandboxes: () => live.now(),
    onChange: (ids) => window.send({ type: 'desktop-windows', ids }),
    showSandbox: (id) => command('show-sandbox', id),
  })
  const tell = (event: WindowEvent) => {
    window.send(event)
    desktopWindows.send(event)
  }
  const command = (name: Extract<WindowEvent, { type: 'command' }>['command'], subject?: string) =>
    void window.show().then(() => tell({ type: 'command', command: name, subject }))
  const tray = createTray(join(here, 'renderer/tray.png'), act)
  const warn = (message: string) => void dialog.showMessageBox({ type: 'warning', message, buttons: ['Close'] })

  const projects = createProjects(
    core.paths.projectsFile,
    () => void projectsChanged(),
    (aside) => warn(`The list of projects was damaged and set aside as ${aside}; it begins anew.`),
  )
  const terminals = createTerminals(core.podman, core.paths.launchesFolder, (sandboxId, error) => tell({ type: 'failed', sandboxId, error }))
  const shells = createShellCalls(core)
  const tries = createTryFolders(core.podman, core.paths.triesFolder)
  const notifications = createNotifications({
    isWatched: window.isWatched,
    show: showNotification,
    open: openPlace,
    failureOf: terminals.failureOf,
    wasOutOfMemory: (id) => live.wasOutOfMemory(id),
  })
  const live = followSandboxes({
    core,
    tell,
    nextRevision,
    onList() {
      void updateTray()
      void tries.tidy()
    },
    onEnd(end) {
      void notifications.sandboxEnded(end)
      void tries.tidy()
    },
    onOutOfMemory: notifications.ranOutOfMemory,
    onKilled: (id) => notifications.expectEnd([id]),
    isStarting: terminals.isStarting,
    isWatched: window.isVisible,
  })

  async function projectsChanged(): Promise<void> {
    tell({ type: 'projects', revision: nextRevision(), projects: await projects.list() })
    await updateTray()
  }
  async function updateTray(): Promise<void> {
    tray.update(trayModel(live.now(), await projects.list()))
  }
  function obeySettings(changed: Settings): void {
    setTheme(changed)
    tray.want(changed.tray ?? true)
  }
  function act(action: TrayAction): void {
    if (action.kind === 'quit') app.quit()
    else if (action.kind === 'launch') command('launch', action.folder)
    else if (action.kind === 'show-sandbox') command('show-sandbox', action.id)
    else void window.show()
  }

  function openPlace({ sandboxId, project }: Place): void {
    const isHere = (id: string) => terminals.has(id) || live.now().some((sandbox) => sandbox.id === id)
    if (sandboxId !== null && isHere(sandboxId)) command('show-sandbox', sandboxId)
    // A throwaway folder is gone with its sandbox.
    else openFolder(project !== null && triedProfile(project) !== null ? null : project)
  }

  const offered = createOfferedFiles()
  const handlers = createWindowHandlers({
    core,
    projects,
    drafts: createDrafts(core.paths.draftsFolder),
    terminals,
    shells,
    tries,
    window,
    desktopWindows,
    offered,
    bundle: join(here, 'paddock.cjs'),
    version: app.getVersion(),
    tell,
    nextRevision,
    onSettings: obeySettings,
    warn,
    onBuilt: notifications.buildEnded,
    onEnding: notifications.expectEnd,
  })
  const senders = createSenders(desktopWindows.sandboxOf)
  const calls = bindCalls(ipcMain, {
    ...handlers,
    // The page asks for it when it has its projects: what is started for the sandboxes would hold up the first sight of them.
    'sandbox.list'(input, context) {
      live.begin()
      // Before the first click on Launch, but after the first keys were answered. What cannot be loaded is told by that launch.
      setTimeout(() => void terminals.load().catch(() => {}), loadTerminalsAfterMs).unref()
      // Containerfiles are edited elsewhere.
      state.profiles ??= watchProfiles(core.paths.userProfilesFolder, () => tell({ type: 'profiles-changed' }))
      return handlers['sandbox.list'](input, context)
    },
  }, senders)
  bindTerminals((id) => terminals.find(id) ?? shells.find(id), senders)
  bindDesktops(ipcMain, createDesktopStreams(core), senders)
  bindOffers(ipcMain, offered, senders)
  setMenu(command, () => app.quit())

  warnings.forEach(warn)
  tray.want(settings.tray ?? true)

  app.on('second-instance', (_event, _argv, _cwd, data) => openFolder((data as { folder: string | null }).folder))
  app.on('activate', () => void window.show())
  app.on('window-all-closed', () => {
    if (!tray.isShown()) app.quit()
  })
  app.on('before-quit', (event) => {
    if (state.isQuitting) return
    event.preventDefault()
    // Asked again while the question is open, there is still one question.
    state.quitting ??= quit().finally(() => {
      state.quitting = null
    })
  })
  async function quit(): Promise<void> {
    const parent = () => (window.isVisible() ? window.current() : null)
    const running = live.now().filter((sandbox) => sandbox.state === 'running')
    const choice = running.length === 0 ? 'leave' : await askAboutRunning(running.length, shells.count(), parent())
    if (choice === 'cancel') return
    // A build or a launch on its way is called off: nobody would see what becomes of it.
    calls.cancelAll()
    await Promise.race([terminals.started(), sleep(callOffWithinMs)])
    if (choice === 'stop' && !(await stopAll()) && !(await askToQuitAnyway(parent()))) return
    state.isQuitting = true
    terminals.detachAll()
    live.close()
    state.profiles?.close()
    app.quit()
  }
  /** @returns whether nothing is left running */
  async function stopAll(): Promise<boolean> {
    const context = { signal: new AbortController().signal, onProgress: () => {} }
    try {
      const ids = (await handlers['sandbox.list']({}, context)).filter(({ state: now }) => now === 'running').map(({ id }) => id)
      await handlers['sandbox.stop']({ ids }, context)
      await tries.tidy()
      return true
    } catch {
      return false
    }
  }
  function openFolder(folder: string | null): void {
    if (folder === null) void window.show()
    else command('open-project', folder)
  }

  const picture = process.env.PADDOCK_PICTURE
  if (picture) void savePicture(window, picture)

  void begin()
  async function begin(): Promise<void> {
    if (given !== null) openFolder(given)
    else if (!settings.startHidden || !(await tray.isSettled())) await window.show()
    else live.begin()
  }
  return {
    keepsRunning: () => !state.isQuitting && tray.isShown(),
    // Images come and go, too, and of bundled profiles nothing tells.
    onFocus: () => tell({ type: 'profiles-changed' }),
    onClose: () => desktopWindows.closeAll(),
  }
}
