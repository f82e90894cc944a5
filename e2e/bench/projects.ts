import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { World } from '../harness.ts'

/** Puts project folders into the app's list as if they had been opened, the first one last. */
export function addProjects(world: World, count: number, profile: string | null = null): string[] {
  const folders = Array.from({ length: count }, (_, at) => world.project(`service-${String(at + 1).padStart(3, '0')}`))
  const opened = folders.map((folder, at) => ({ folder, pinned: false, lastProfile: profile, lastOpenedAt: new Date(Date.now() - at * 60_000).toISOString() }))
  const file = join(world.env.XDG_STATE_HOME!, 'paddock/projects.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(opened))
  return folders
}
