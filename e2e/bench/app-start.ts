import { once } from 'node:events'
import { join } from 'node:path'
import { createWorld, root } from '../harness.ts'
import { windowArguments } from '../fixtures/window-app.ts'
import { spawnWithDevtools } from './devtools-pipe.ts'
import { electronProgram } from './electron-program.ts'
import { painted } from './painted.ts'
import { addProjects } from './projects.ts'
import type { Report } from './report.ts'
import { measureInTurn, nowMs } from './samples.ts'

const pairs = 12
const limit = 1.6

/** A list has rows, and the window is shown: without the focus it gets no key. */
const isThere = `document.querySelector('[data-row]') !== null && document.hasFocus()`
/** A key was answered: F6 moves the focus in both windows. */
const hasAnswered = 'document.activeElement !== window.focused'

/** The start of the process until the list of projects is painted and a key is answered, beside a bare Electron window. */
export async function benchAppStart(report: Report): Promise<void> {
  const world = createWorld('bench')
  try {
    addProjects(world, 12)
    const env = { ...process.env, ...world.env }
    const paddock = () => timeStart([electronProgram(), ...windowArguments(world)], env)
    const bare = () => timeStart([electronProgram(), join(root, 'e2e/bench/bare-app'), `--user-data-dir=${join(world.folder, 'bare-data')}`], env)
    report.ratio('Paddock', 'a bare Electron window', await measureInTurn(pairs, paddock, bare), limit)
  } finally {
    await world.dispose()
  }
}

async function timeStart(command: readonly [string, ...string[]], env: NodeJS.ProcessEnv): Promise<number> {
  const startedAt = nowMs()
  const { child, page } = spawnWithDevtools(command, env)
  const over = once(child, 'exit')
  try {
    const { evaluate, press } = await page
    await evaluate(painted(isThere, 'window.focused = document.activeElement'))
    const answered = evaluate<number>(painted(hasAnswered))
    await press('F6')
    return (await answered) - startedAt
  } finally {
    child.kill('SIGKILL')
    await over
  }
}
