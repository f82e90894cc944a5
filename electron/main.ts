import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app } from 'electron'
import { declareAppProtocol, serveApp } from './app/app-protocol.ts'
import { folderArgument } from './app/folder-argument.ts'
import { denyPermissions, hardenApp, hasSandbox } from './app/harden.ts'
import { createMainWindow } from './app/main-window.ts'
import { setTheme } from './app/set-theme.ts'
import type { WindowDuties } from './app/start-app.ts'
import { findPaths } from './core/store/paths.ts'
import { type LoadedSettings, loadSettings } from './core/store/settings.ts'

// Opens the window first; all that answers it is loaded while the process of its page starts.
const here = fileURLToPath(new URL('.', import.meta.url))

declareAppProtocol()
hardenApp()

// Where the person stood when npm changed to Paddock's own folder.
const startedIn = process.env.PADDOCK_CWD ?? process.cwd()

const given = folderArgument(process.argv, startedIn, app.isPackaged)

// The first start gets the folder itself: how words are to be read depends on how each was started.
if (app.requestSingleInstanceLock({ folder: given })) {
  const paths = findPaths()
  // Read while Chromium starts. What cannot be read at all is told by the window, which asks for it again.
  const loaded = loadSettings(paths.settingsFile).catch((): LoadedSettings => ({ settings: {}, warnings: [] }))
  void app.whenReady().then(async () => open(paths.windowBoundsFile, await loaded))
} else {
  process.stderr.write(`paddock: Paddock runs already${given === null ? '' : `; it opens ${given}`}.\n`)
  app.quit()
}

async function open(boundsFile: string, settings: LoadedSettings): Promise<void> {
  if (!hasSandbox()) return app.exit(1)
  serveApp(join(here, 'renderer'))
  denyPermissions()
  setTheme(settings.settings)
  const page = { preload: join(here, 'preload.cjs'), icon: join(here, 'renderer/icons/256x256.png') }
  let duties: WindowDuties | null = null
  const window = createMainWindow({
    ...page,
    boundsFile,
    keepsRunning: () => duties?.keepsRunning() ?? false,
    onFocus: () => duties?.onFocus(),
    onClose: () => duties?.onClose(),
  })
  if (!settings.settings.startHidden) void window.show()
  const { startApp } = await import('./app/start-app.ts')
  duties = startApp({ window, page, here, given, settings })
}
