import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, dialog, Notification, nativeTheme } from 'electron'
import type { WindowEvent } from '../shared/contract/window-contract.ts'
import type { Settings } from '../shared/domain/settings.ts'
import { declareAppProtocol, serveApp } from './app/app-protocol.ts'
import { folderArgument } from './app/folder-argument.ts'
import { denyPermissions, hardenApp } from './app/harden.ts'
import { followSandboxes } from './app/live-sandboxes.ts'
import { createMainWindow } from './app/main-window.ts'
import { setMenu } from './app/menu.ts'
import { trayModel, type TrayAction } from './app/menu-model.ts'
import { askAboutRunning } from './app/quit.ts'
import { savePicture } from './app/save-picture.ts'
import { createTray, hasTrayHost, type TrayIcon } from './app/tray.ts'
import { createWindowHandlers } from './app/window-handlers.ts'
import { createCore } from './core/core.ts'
import { createProjects } from './core/projects/projects.ts'
import { type LoadedSettings, loadSettings } from './core/store/settings.ts'
import { createTerminals } from './core/terminals/terminals.ts'
import { bindCalls } from './ipc/bind-calls.ts'
import { bindTerminals } from './ipc/bind-terminals.ts'

// Composition root: builds the core, binds the contract, opens the window.
const here = fileURLToPath(new URL('.', import.meta.url))

declareAppProtocol()
hardenApp()

// Where the person stood when npm changed to Paddock's own folder.
const startedIn = process.env.PADDOCK_CWD ?? process.cwd()

if (app.requestSingleInstanceLock({ cwd: startedIn })) void app.whenReady().then(start)
else app.quit()

async function start(): Promise<void> {
  serveApp(join(here, 'renderer'))
  denyPermissions()
  const core = createCore({ bundledProfiles: join(here, '../profiles') })
  const state: { isQuitting: boolean; quitting: Promise<void> | null; revision: number; tray: TrayIcon | null } = { isQuitting: false, quitting: null, revision: 0, tray: null }
  const nextRevision = () => ++state.revision
  const window = createMainWindow({
    preload: join(here, 'preload.cjs'),
    boundsFile: core.paths.windowBoundsFile,
    keepsRunning: () => !state.isQuitting && state.tray !== null,
    // Containerfiles are edited elsewhere, and nothing tells of it.
    onFocus: () => tell({ type: 'profiles-changed' }),
  })
  const tell = (event: WindowEvent) => window.send(event)
  const command = (name: Extract<WindowEvent, { type: 'command' }>['command'], subject?: string) =>
    void window.show().then(() => tell({ type: 'command', command: name, subject }))
  const notify = (title: string, body: string, onClick: () => void) => {
    if (window.current()?.isFocused() || !Notification.isSupported()) return
    const notification = new Notification({ title, body })
    notification.on('click', onClick)
    notification.show()
  }

  const warn = (message: string) => void dialog.showMessageBox({ type: 'warning', message, buttons: ['Close'] })

  const projects = createProjects(
    core.paths.projectsFile,
    () => void projectsChanged(),
    (aside) => warn(`The list of projects was damaged and set aside as ${aside}; it begins anew.`),
  )
  const terminals = createTerminals(core.podman, core.paths.launchesFolder, ({ sandboxId, exitCode, error }) => {
    if (error) notify('Sandbox stopped', error.message, () => command('show-sandbox', sandboxId))
    else if (exitCode !== 0 && !state.isQuitting) notify('Sandbox ended', `It ended with exit code ${exitCode}.`, () => command('show-sandbox', sandboxId))
  })
  const live = followSandboxes({
    core,
    tell,
    nextRevision,
    onList: () => void updateTray(),
    onOutOfMemory: ({ id, project }) => notify('Out of memory', `${project ? basename(project) : 'A sandbox'} ran out of memory.`, () => command('show-sandbox', id)),
    isWatched: () => window.current()?.isVisible() ?? false,
  })

  async function projectsChanged(): Promise<void> {
    tell({ type: 'projects', revision: nextRevision(), projects: await projects.list() })
    await updateTray()
  }
  async function updateTray(): Promise<void> {
    state.tray?.update(trayModel(live.now(), await projects.list()))
  }
  function tellBuilt({ project, profile, hasWorked }: { project: string; profile: string; hasWorked: boolean }): void {
    notify(hasWorked ? 'Image built' : 'Build failed', `${profile}, for ${basename(project)}`, () => command('launch', project))
  }
  function obeySettings({ theme, tray }: Settings): void {
    nativeTheme.themeSource = theme ?? 'system'
    if (tray === false) {
      state.tray?.close()
      state.tray = null
    } else if (state.tray === null) void showTray()
  }
  async function showTray(): Promise<void> {
    if (!(await hasTrayHost()) || state.tray !== null) return
    state.tray = createTray(join(here, 'renderer/tray.png'), act)
    await updateTray()
  }
  function act(action: TrayAction): void {
    if (action.kind === 'quit') app.quit()
    else if (action.kind === 'launch') command('launch', action.folder)
    else if (action.kind === 'show-sandbox') command('show-sandbox', action.id)
    else void window.show()
  }

  const handlers = createWindowHandlers({ core, projects, terminals, window, version: app.getVersion(), tell, nextRevision, onSettings: obeySettings, onBuilt: tellBuilt })
  bindCalls(handlers)
  bindTerminals(terminals)
  setMenu(command, () => app.quit())

  // What cannot be read at all is told by the window, which asks for it again.
  const { settings, warnings } = await loadSettings(core.paths.settingsFile).catch((): LoadedSettings => ({ settings: {}, warnings: [] }))
  warnings.forEach(warn)
  obeySettings(settings)

  app.on('second-instance', (_event, argv, _cwd, data) => openFolder(folderArgument(argv, (data as { cwd: string }).cwd, app.isPackaged)))
  app.on('activate', () => void window.show())
  app.on('window-all-closed', () => {
    if (state.tray === null) app.quit()
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
    const running = live.now().filter((sandbox) => sandbox.state === 'running')
    const choice = running.length === 0 ? 'leave' : await askAboutRunning(running.length, window.current())
    if (choice === 'cancel') return
    state.isQuitting = true
    terminals.detachAll()
    if (choice === 'stop') {
      const context = { signal: new AbortController().signal, onProgress: () => {} }
      await core.handlers['sandbox.stop']({ ids: running.map(({ id }) => id) }, context).catch(() => {})
    }
    live.close()
    app.quit()
  }
  function openFolder(folder: string | null): void {
    if (folder === null) void window.show()
    else command('open-project', folder)
  }

  const picture = process.env.PADDOCK_PICTURE
  if (picture) void savePicture(window, picture)

  const folder = folderArgument(process.argv, startedIn, app.isPackaged)
  if (folder !== null) openFolder(folder)
  else if (!settings.startHidden) await window.show()
}
