import { join } from 'node:path'
import { launchButton } from '../fixtures/window-app.ts'
import { openBareTerminal } from './bare-terminal.ts'
import { type BenchWindow, openBenchWindow, settle } from './bench-window.ts'
import { hookPlainPodman, makeHookFolder, sameHookNote } from './hook-folder.ts'
import type { Report } from './report.ts'
import { measureInTurn, nowMs } from './samples.ts'

const pairs = 24
/** Podman is spawned directly, which saves a quarter of what runlabel takes: what is done besides must cost less. */
const limit = 1.0

/** From the click on Launch to the prompt in the page's terminal, beside `podman container runlabel` in a terminal. */
export async function benchClickToPrompt(report: Report): Promise<void> {
  const bench = await openBenchWindow()
  try {
    const { folder, env } = bench.world
    const hook = await makeHookFolder(join(folder, 'hook'), env.PADDOCK_PODMAN!)
    hookPlainPodman(env.XDG_CONFIG_HOME!, hook)
    report.note(sameHookNote)
    const paintedMs: number[] = []
    const pairsOfMs = await measureInTurn(pairs, () => clickMs(bench, paintedMs), () => runlabelMs(bench))
    report.ratio('from the click to the prompt', 'podman container runlabel', pairsOfMs, limit)
    report.median('from the click to a frame with the prompt', 'ms', paintedMs)
    hook.demandReceipt()
  } finally {
    await bench.close()
  }
}

/** @param paintedMs takes the time from the click to a frame with the prompt in it */
async function clickMs({ window, probe }: BenchWindow, paintedMs: number[]): Promise<number> {
  // The pointer alone: what Playwright looks at around a click of its own would compete with what is measured.
  const { x, y, width, height } = (await launchButton(window).boundingBox())!
  await window.page.mouse.move(x + width / 2, y + height / 2)
  await probe.reset()
  await settle()
  await window.page.mouse.down()
  await window.page.mouse.up()
  const { actedAt, promptAt, promptPaintedAt } = await probe.until('seen.promptPaintedAt > 0')
  paintedMs.push(promptPaintedAt - actedAt)
  await window.type('exit')
  await window.screen.getByRole('button', { name: 'Close', exact: true }).click()
  await launchButton(window).waitFor()
  await settle()
  return promptAt - actedAt
}

async function runlabelMs({ runlabel, world, folder }: BenchWindow): Promise<number> {
  const startedAt = nowMs()
  const terminal = openBareTerminal(runlabel, { ...process.env, ...world.env }, folder)
  const promptAt = await terminal.endsWith('$ ')
  terminal.write('exit\r')
  await terminal.ended
  await settle()
  return promptAt - startedAt
}
