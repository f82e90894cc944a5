import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { appImage } from '../../core/process/app-image.ts'
import { startDetached } from '../../core/process/background.ts'
import { openProject } from '../../core/sandboxes/open-project.ts'
import type { CommandContext } from '../program.ts'

/** Starts the app from a checkout; an installed Paddock has none. The bundle lies in dist/. */
const startScript = fileURLToPath(new URL('../scripts/main.mjs', import.meta.url))

export function addOpenCommand(program: Command, { session, finish }: CommandContext): void {
  program
    .command('open')
    .summary('open a project folder in the window')
    .description('Opens a project folder in Paddock’s window; starts the app if it does not run.')
    .argument('[dir]', 'project folder (default: this folder)')
    .action(async (dir: string = '.') => {
      const { folder } = await openProject(dir, process.env.PADDOCK_CWD ?? process.cwd(), session.core.paths)
      if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) throw noDisplay()
      await startDetached(appCommand(folder), { ELECTRON_RUN_AS_NODE: undefined })
      finish(0)
    })
}

/** The app that this command belongs to; a second start of it hands the folder to the first and ends. */
export function appCommand(folder: string, { versions, execPath, env }: Pick<NodeJS.Process, 'versions' | 'execPath' | 'env'> = process): [string, ...string[]] {
  if (versions.electron) return [appImage(execPath, env) ?? execPath, folder]
  if (existsSync(startScript)) return [process.execPath, startScript, 'start', folder]
  throw new PaddockError({ code: 'usage', message: 'The app is not installed beside this command.', hint: 'Start Paddock from your desktop’s menu, and open the folder there.' })
}

function noDisplay(): PaddockError {
  return new PaddockError({ code: 'usage', message: 'There is no display for a window.', hint: 'In a terminal, "paddock run" launches the sandbox; in a checkout, "npm start -- DIR" opens the window on a virtual display.' })
}
