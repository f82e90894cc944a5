import { app, dialog, session } from 'electron'

/** What no page of ours needs is refused for all: other pages, new windows, embedded views, permissions. */
export function hardenApp(): void {
  // Cookies are encrypted in a package (a fuse), and there are none: the desktop's wallet need not be unlocked for them.
  app.commandLine.appendSwitch('password-store', 'basic')
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => event.preventDefault())
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  })
}

/**
 * The page draws what agents print, so it is not shown outside Chromium's sandbox: an argument, ELECTRON_DISABLE_SANDBOX
 * or a wrapper that found no user namespaces may have switched it off. To be called when the app is ready.
 * @returns false when the app must not go on; the person has been told
 */
export function hasSandbox(): boolean {
  if (!app.commandLine.hasSwitch('no-sandbox')) return true
  const why = 'Chromium’s sandbox is switched off, and Paddock’s window is not opened without it. Start Paddock without --no-sandbox and ELECTRON_DISABLE_SANDBOX.'
  process.stderr.write(`paddock: ${why}\n`)
  dialog.showErrorBox('Paddock cannot open its window', why)
  return false
}

/**
 * The clipboard, which terminals and desktops need, for writing what the person selected and reading what they paste; and a desktop
 * on the whole screen with all keys, for which the person has to press something first.
 */
const granted = new Set(['clipboard-read', 'clipboard-sanitized-write', 'fullscreen', 'keyboardLock'])

/** To be called when the app is ready. */
export function denyPermissions(): void {
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) => answer(granted.has(permission)))
  session.defaultSession.setPermissionCheckHandler((_contents, permission) => granted.has(permission))
}
