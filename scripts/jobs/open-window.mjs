import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasDisplay, startVirtualDisplay } from '../electron/display.mjs'
import { say } from '../process/progress.mjs'
import { runForeground } from '../process/run-foreground.mjs'

/**
 * Opens the app's window and waits for its end. Where there is no display it opens on a virtual one, and a picture of it
 * is saved, so that a person can see that it works.
 *
 * @param {string} root
 * @param {string[]} args a project folder, or nothing
 * @param {NodeJS.ProcessEnv} env names the Electron runtime
 * @returns {Promise<number>} exit code
 */
export async function openWindow(root, args, env) {
  const command = [electronProgram(env.ELECTRON_OVERRIDE_DIST_PATH), root, ...args]
  if (hasDisplay(env)) return runForeground(command, { cwd: root, env })
  const picture = join(tmpdir(), `paddock-window-${process.getuid()}.png`)
  const { environment, stop } = await startVirtualDisplay()
  say(`there is no display, so the window opens on a virtual one; its picture will be ${picture}. Ctrl-C ends it`)
  try {
    return await runForeground(command, { cwd: root, env: { ...env, ...environment, PADDOCK_PICTURE: picture } })
  } finally {
    await stop()
  }
}

function electronProgram(folder) {
  const program = join(folder, 'electron')
  return existsSync(program) ? program : join(folder, 'Electron')
}
