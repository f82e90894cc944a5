// The least that Electron can open: what the app's start is compared with.
import { app, BrowserWindow } from 'electron'
import { fileURLToPath } from 'node:url'

app.on('window-all-closed', () => app.quit())
void app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1200, height: 780, show: false, webPreferences: { contextIsolation: true, sandbox: true } })
  window.once('ready-to-show', () => window.show())
  void window.loadFile(fileURLToPath(new URL('index.html', import.meta.url)))
})
