// A bare window of the runtime that the app uses; who started it loads the scenes into it.
import { app, BrowserWindow } from 'electron'

app.commandLine.appendSwitch('force-device-scale-factor', '1')
app.on('window-all-closed', () => app.quit())
app.whenReady().then(() => {
  const webPreferences = { contextIsolation: true, sandbox: true }
  return new BrowserWindow({ width: 1440, height: 900, frame: false, useContentSize: true, webPreferences }).loadURL('about:blank')
})
