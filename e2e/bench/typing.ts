import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openWindow, type WindowApp } from '../fixtures/window-app.ts'
import { createWorld, root } from '../harness.ts'
import type { Report } from './report.ts'

const lineCount = 2_000
const keys = 120
/** So many are typed before a pause, in which the form and the findings follow. */
const burst = 10
/** By then the form, the findings and the preview show what was typed. */
const followedMs = 600
/** A frame of a screen with 60 Hz. */
const limitMs = 16
/** More would be felt when the next key comes at once. */
const limitAfterMs = 50
const profile = 'e2e-bench-long'
/** The name of a package, which is in the text, the form and the preview. */
const typedInto = 'typed-'

/** Typing into a long Containerfile in the real editor, with its form, findings and preview. */
export async function benchTyping(report: Report): Promise<void> {
  const world = createWorld('bench')
  try {
    world.profile(profile, longContainerfile())
    const window = await openWindow(world)
    try {
      const { times, following } = await timeKeys(window)
      report.median(`a key in ${lineCount} lines, main thread until it is drawn`, 'ms', times, limitMs)
      report.figure('the 95th of 100 keys', 'ms', times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!, limitMs)
      report.median(`the pause after ${burst} keys, main thread until the form, the findings and the preview show them`, 'ms', following, limitAfterMs)
    } finally {
      await window.kill()
    }
  } finally {
    await world.dispose()
  }
}

/** The minimal profile, and between its steps as many again as make it long. */
function longContainerfile(): string {
  const minimal = readFileSync(join(root, 'profiles/minimal/Containerfile'), 'utf8')
  const before = minimal.split('\n').length
  const step = (at: number) => `# Step ${at}.\nRUN apt-get update \\\n && apt-get install -y --no-install-recommends tool-${at} \\\n && rm -rf /var/lib/apt/lists/*`
  const steps = Array.from({ length: Math.ceil((lineCount - before) / 4) }, (_, at) => step(at))
  return minimal.replace('\nCOPY', `\nRUN apt-get install -y ${typedInto}\n${steps.join('\n')}\nCOPY`)
}

/** What the page's main thread worked, in ms: for each key until the next time that it has nothing to do, and in each pause. */
async function timeKeys({ page, screen }: WindowApp): Promise<{ times: number[]; following: number[] }> {
  await page.getByRole('navigation').getByRole('button', { name: new RegExp(`^${profile}`) }).click()
  await page.getByRole('complementary').getByRole('button', { name: 'Edit', exact: true }).click()
  const text = screen.getByRole('textbox', { name: `Containerfile of ${profile}` })
  await text.focus()
  await page.keyboard.press('Control+f')
  await page.keyboard.type(typedInto)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowRight')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async () => (await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')!.value * 1000
  const idle = () => page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestIdleCallback(resolve)))')
  const timeOf = async (act: () => Promise<unknown>) => {
    await idle()
    const before = await worked()
    await act()
    await idle()
    return (await worked()) - before
  }
  // What asking costs is measured as well, and taken off.
  const nothings: number[] = []
  for (let at = 0; at < 20; at++) nothings.push(await timeOf(async () => {}))
  const nothing = nothings.toSorted((a, b) => a - b)[10]!
  const times: number[] = []
  const following: number[] = []
  let typed = typedInto
  for (let at = 0; at < keys; at++) {
    const key = 'abcdefghij'[at % 10]!
    typed += key
    times.push(Math.max(0, (await timeOf(() => page.keyboard.press(key))) - nothing))
    if (at % burst < burst - 1) continue
    const before = await worked()
    await page.evaluate(`new Promise((resolve) => setTimeout(resolve, ${followedMs}))`)
    following.push((await worked()) - before)
    // Only now: to look for it is work for the page as well.
    await screen.getByRole('form').getByText(typed, { exact: true }).waitFor()
  }
  return { times: times.slice(20), following: following.slice(2) }
}
