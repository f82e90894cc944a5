import { setTimeout as sleep } from 'node:timers/promises'
import { openProject, openWindow, type WindowApp, writeSettings } from '../fixtures/window-app.ts'
import { createWorld, onMinimal, type World } from '../harness.ts'
import { addProjects } from './projects.ts'
import { installProbe, type TerminalProbe } from './terminal-probe.ts'

/** The real app with a profile that starts on any host, and a probe at its terminals. */
export interface BenchWindow {
  world: World
  window: WindowApp
  probe: TerminalProbe
  folder: string
  /** What gives the same sandbox without Paddock. */
  runlabel: readonly [string, ...string[]]
  close(): Promise<void>
}

export const benchProfile = 'e2e-bench'

/** Long enough for what follows the end of a sandbox, such as the new lists, to be over. */
export const settle = () => sleep(1_500)

export async function openBenchWindow(): Promise<BenchWindow> {
  const world = createWorld('bench')
  try {
    // The screen-reader mode, which tests read terminals by, has its price.
    writeSettings(world, { screenReader: false, tray: false })
    world.profile(benchProfile, onMinimal((label) => label.replace('--runtime krun', '--runtime crun')))
    const [folder] = addProjects(world, 1, benchProfile) as [string]
    const { code, stderr } = await world.paddock(['build', benchProfile])
    if (code !== 0) throw new Error(`The profile to measure with could not be built:\n${stderr}`)
    const window = await openWindow(world)
    const probe = await installProbe(window.page)
    await openProject(window, folder, benchProfile)
    await settle()
    return {
      world,
      window,
      probe,
      folder,
      runlabel: [world.env.PADDOCK_PODMAN!, 'container', 'runlabel', 'run', `localhost/paddock:${benchProfile}`],
      async close() {
        await window.kill()
        await world.dispose()
      },
    }
  } catch (error) {
    await world.dispose()
    throw error
  }
}
