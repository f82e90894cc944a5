import type { WebPreferences } from 'electron'

/** What every page of ours is held to. @param preload path of the bridge */
export function pagePreferences(preload: string): WebPreferences {
  return { preload, contextIsolation: true, sandbox: true, nodeIntegration: false, webviewTag: false, spellcheck: false }
}
