import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { hasDisplay, startVirtualDisplay } from '../electron/display.mjs'
import { say } from '../process/progress.mjs'
import { openScenes } from '../electron/scenes.mjs'

const sizes = [
  [1440, 900],
  [1000, 640],
]
const themes = ['light', 'dark']

/**
 * Writes a picture of every screen, in both themes and both sizes, into the folder screenshots, and tells what axe finds
 * on them.
 *
 * @param {string} root
 * @param {string[]} args names of scenes; none means all
 * @param {NodeJS.ProcessEnv} env names the Electron runtime
 * @returns {Promise<number>} 1 when axe finds anything serious
 */
export async function takeScreenshots(root, args, env) {
  const folder = join(root, 'screenshots')
  mkdirSync(folder, { recursive: true })
  // What is left of a scene that is no more would be taken for the app of today.
  if (args.length === 0) for (const name of readdirSync(folder)) if (name.endsWith('.png')) rmSync(join(folder, name))
  const display = hasDisplay(env) ? null : await startVirtualDisplay()
  const scenes = await openScenes(root, { ...env, ...display?.environment })
  const faults = new Set()
  try {
    const names = args.length > 0 ? args : await scenes.names()
    for (const name of names) {
      for (const theme of themes) {
        await scenes.resize(...sizes[0])
        await scenes.open(name, theme)
        for (const fault of await scenes.faults()) faults.add(`${name}, ${theme}: ${fault}`)
        for (const [width, height] of sizes) {
          await scenes.resize(width, height)
          await scenes.page.waitForTimeout(200)
          await scenes.page.screenshot({ path: join(folder, `${name}-${theme}-${width}.png`) })
        }
      }
    }
    say(`${names.length * themes.length * sizes.length} pictures are in ${folder}`)
  } finally {
    await scenes.close()
    await display?.stop()
  }
  for (const fault of faults) process.stderr.write(`${fault}\n`)
  return faults.size > 0 ? 1 : 0
}
