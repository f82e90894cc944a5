import { app, session } from 'electron'

/** What no page of ours needs is refused for all: other pages, new windows, embedded views, permissions. */
export function hardenApp(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-navigate', (event) => event.preventDefault())
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  })
}

/** Only the clipboard, which a terminal needs, and only for writing what the person selected and reading what they paste. */
const granted = new Set(['clipboard-read', 'clipboard-sanitized-write'])

/** To be called when the app is ready. */
export function denyPermissions(): void {
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) => answer(granted.has(permission)))
  session.defaultSession.setPermissionCheckHandler((_contents, permission) => granted.has(permission))
}
