import { openBareTerminal } from './bare-terminal.ts'
import { openBenchWindow, settle } from './bench-window.ts'
import { painted } from './painted.ts'
import type { Report } from './report.ts'

const starts = 8
/** Whoever starts a sandbox elsewhere and looks at the window sees it there. */
const limitMs = 1_000

/** Sandboxes that plain Podman starts: from their prompt in another terminal to the frame of the window that has their tab. */
export async function benchOutside(report: Report): Promise<void> {
  const { window, runlabel, world, folder, close } = await openBenchWindow()
  try {
    const times: number[] = []
    for (let at = 0; at < starts; at++) {
      const shown = window.page.evaluate(painted(`document.querySelectorAll('[data-tab]').length > 0`)) as Promise<number>
      const terminal = openBareTerminal(runlabel, { ...process.env, ...world.env }, folder)
      const promptAt = await terminal.endsWith('$ ')
      times.push(Math.max(0, (await shown) - promptAt))
      terminal.write('exit\r')
      await terminal.ended
      await window.page.evaluate(painted(`document.querySelectorAll('[data-tab]').length === 0`))
      await settle()
    }
    report.median('a sandbox started elsewhere, from its prompt there to its tab here', 'ms', times, limitMs)
  } finally {
    await close()
  }
}
