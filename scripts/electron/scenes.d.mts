import type { Page } from 'playwright-core'

/** The window's scenes in the runtime that the app uses. */
export interface Scenes {
  page: Page
  /** Shows a scene and waits until it stands; fails when its page throws. */
  open(scene: string, theme: 'light' | 'dark'): Promise<void>
  names(): Promise<string[]>
  /** In CSS pixels. */
  resize(width: number, height: number): Promise<void>
  /** Changes the theme of the scene that is shown. */
  setTheme(theme: 'light' | 'dark'): Promise<void>
  /** What axe finds serious or worse, a line each. @param rules ids of axe's rules; absent means all */
  faults(rules?: readonly string[]): Promise<string[]>
  close(): Promise<void>
}

export function openScenes(root: string, env: NodeJS.ProcessEnv): Promise<Scenes>
