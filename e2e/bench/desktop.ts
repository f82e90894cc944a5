import { setTimeout as sleep } from 'node:timers/promises'
import screenshotProgram from '../../electron/core/desktops/screenshot.py?raw'
import { takeScreenshot } from '../../electron/core/desktops/screenshot.ts'
import type { GuestChannel } from '../../electron/core/guest/guest-channel.ts'
import { guestDesktop } from '../../shared/domain/desktop.ts'
import { backdrop } from '../fixtures/desktop.ts'
import { openGuest } from '../fixtures/guest.ts'
import { launchButton, openProject, openWindow, type WindowApp, writeSettings } from '../fixtures/window-app.ts'
import { createWorld, type Ended, until, type World } from '../harness.ts'
import { settle } from './bench-window.ts'
import { cpuMsOf } from './cpu-time.ts'
import type { Report } from './report.ts'
import { measureInTurn, median, nowMs } from './samples.ts'
import { findVncViewer, openVncViewer, type ShownDesktop, type VncViewer } from './vnc-viewer.ts'

const launches = 3
/** What a person is promised, from the prompt to the desktop with all that is on it. */
const readyLimitMs = 10_000
const scrolls = 2
const scrollSeconds = 10
/** The pane draws at least four fifths of the frames that the other client does. */
const frameLimit = 1 / 0.8
const idles = 2
const idleSeconds = 20
const idleLimit = 1
const shots = 8
/** Podman has to start a process by itself for what a channel has open. */
const shotLimit = 1

/** Lines of changing words, a screen of them about every second. */
const scroll = `import sys, time
until = time.monotonic() + ${scrollSeconds}
line = 0
while time.monotonic() < until:
    line += 1
    print(line, *((line * word * 7919) % 99991 for word in range(1, 22)), flush=True)
    time.sleep(1 / 60)
`

/** The real desktop in the pane: until it is seen, while it scrolls beside a VNC client, while nothing happens, and its pictures. */
export async function benchDesktop(report: Report): Promise<void> {
  const world = createWorld('bench-desktop')
  try {
    report.note('building what is measured')
    writeSettings(world, { tray: false })
    await demand(world.paddock(['build', 'desktop']))
    const viewer = fetchViewer(report)
    const window = await openWindow(world)
    try {
      await benchFirstFrame(report, world, window)
      const { id } = (await world.ls()).find(({ state }) => state === 'running')!
      const guest = await openGuest(world, id)
      try {
        if (viewer) await benchScroll(report, world, window, guest, viewer)
        await benchIdle(report, window)
        await benchScreenshot(report, world, guest, id)
      } finally {
        guest.close()
      }
    } finally {
      await window.kill()
    }
  } finally {
    await world.dispose()
  }
}

function fetchViewer(report: Report): VncViewer | null {
  try {
    return findVncViewer()
  } catch (error) {
    report.note(`not measured while it scrolls, for there is no VNC client to compare with: ${(error as Error).message.trim().split('\n').at(-1)}`)
    return null
  }
}

interface FirstSight {
  clickedAt: number
  promptAt: number
  frameAt: number
  drawnAt: number
}

/** Looks at the page as it is; the last sandbox stays. */
async function benchFirstFrame(report: Report, world: World, window: WindowApp): Promise<void> {
  const seen: FirstSight[] = []
  await openProject(window, world.project('desk'), 'desktop')
  for (let at = 0; at < launches; at++) {
    if (at > 0) await endSandbox(window)
    await settle()
    seen.push(await launchAndLook(window))
  }
  const times = (from: keyof FirstSight, to: keyof FirstSight) => seen.map((one) => one[to] - one[from])
  report.ratio('from the click to the first frame in the pane', 'to the prompt', { ours: times('clickedAt', 'frameAt'), theirs: times('clickedAt', 'promptAt') }, null)
  report.median('from the prompt to the desktop with its panel', 'ms', times('promptAt', 'drawnAt'), readyLimitMs)
}

const looking = `globalThis.looking = (() => {
  const seen = { clickedAt: 0, promptAt: 0, frameAt: 0, drawnAt: 0 }
  const now = () => performance.timeOrigin + performance.now()
  addEventListener('click', ({ timeStamp }) => { seen.clickedAt = performance.timeOrigin + timeStamp }, { capture: true, once: true })
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (!seen.promptAt && [...document.querySelectorAll('.xterm-accessibility')].some((one) => /[$❯] /.test(one.textContent))) seen.promptAt = now()
      const pane = document.querySelector('.desktop-screen[data-state="shown"]')
      if (!pane) return
      seen.frameAt ||= now()
      const colour = (x, y) => pane.querySelector('canvas').getContext('2d').getImageData(x, y, 1, 1).data
      const isBackdrop = ([...rgb]) => [${backdrop.join()}].every((value, at) => Math.abs(rgb[at] - value) <= 6)
      if (!seen.drawnAt && isBackdrop(colour(640, 700)) && !isBackdrop(colour(40, 10))) seen.drawnAt = now()
      if (!seen.drawnAt || !seen.promptAt) return
      clearInterval(timer)
      resolve(seen)
    }, 25)
  })
})()
null`

async function launchAndLook(window: WindowApp): Promise<FirstSight> {
  const { x, y, width, height } = (await launchButton(window).boundingBox())!
  await window.page.mouse.move(x + width / 2, y + height / 2)
  await window.page.evaluate(looking)
  await window.page.mouse.down()
  await window.page.mouse.up()
  return (await window.page.evaluate('looking')) as FirstSight
}

async function endSandbox(window: WindowApp): Promise<void> {
  await window.type('exit')
  await window.screen.getByRole('button', { name: 'Close', exact: true }).click()
  await launchButton(window).waitFor()
}

/** What is on a CPU for the pane: the main process, the page and what draws it. */
const appPids = ({ app }: WindowApp) => app.evaluate(({ app: running }) => running.getAppMetrics().filter(({ type }) => ['Browser', 'Tab', 'GPU'].includes(type)).map(({ pid }) => pid))

const statusItem = ({ screen }: WindowApp) => screen.getByRole('button', { name: 'Desktop', exact: true })

async function showPane(window: WindowApp): Promise<ShownDesktop> {
  if ((await statusItem(window).getAttribute('aria-pressed')) !== 'true') await statusItem(window).click()
  await window.page.locator('.desktop-screen[data-state="shown"]').waitFor()
  const pids = await appPids(window)
  return {
    cpuMs: () => cpuMsOf(pids),
    async close() {
      await statusItem(window).click()
      await window.page.locator('.desktop-screen').waitFor({ state: 'detached' })
    },
  }
}

interface Scrolled {
  framesPerSecond: number
  cpuMsPerSecond: number
}

async function benchScroll(report: Report, world: World, window: WindowApp, guest: GuestChannel, viewer: VncViewer): Promise<void> {
  const ours: Scrolled[] = []
  const theirs: Scrolled[] = []
  await (await showPane(window)).close()
  for (let at = 0; at < scrolls; at++) {
    const showing = [async () => ours.push(await scrollIn(guest, () => showPane(window))), async () => theirs.push(await scrollIn(guest, () => openVncViewer(viewer, guest, world.folder)))]
    for (const show of at % 2 === 0 ? showing : showing.toReversed()) await show()
  }
  const each = (of: (one: Scrolled) => number) => ({ ours: ours.map(of), theirs: theirs.map(of) })
  report.median('frames in the pane while text scrolls', 'per s', ours.map(({ framesPerSecond }) => framesPerSecond))
  report.median('frames in xtigervncviewer', 'per s', theirs.map(({ framesPerSecond }) => framesPerSecond))
  report.ratio('from frame to frame in the pane', 'in xtigervncviewer', each(({ framesPerSecond }) => 1_000 / framesPerSecond), frameLimit)
  report.ratio('CPU of main process, page and GPU process in each second', 'of xtigervncviewer and its tunnel', each(({ cpuMsPerSecond }) => cpuMsPerSecond), null)
}

/** Scrolls text in a terminal of the desktop while a client shows it. Its frames are those that the server says it has sent. */
async function scrollIn(guest: GuestChannel, show: () => Promise<ShownDesktop>): Promise<Scrolled> {
  const told = await sentFrames(guest)
  const shown = await show()
  let cpuMs: number
  let seconds: number
  try {
    await settle()
    const [before, startedAt] = [shown.cpuMs(), nowMs()]
    const { exitCode, stderr } = await guest.run(['xfce4-terminal', '--disable-server', '--geometry', '150x42+10+40', '-x', 'python3', '-c', scroll], { timeoutMs: 4 * scrollSeconds * 1_000 })
    if (exitCode !== 0) throw new Error(`The terminal ended with ${exitCode}: ${stderr}`)
    cpuMs = shown.cpuMs() - before
    seconds = (nowMs() - startedAt) / 1_000
  } finally {
    await shown.close()
  }
  const after = await until('the server has said what it sent', async () => {
    const now = await sentFrames(guest)
    return now.length > told.length && now
  })
  return { framesPerSecond: after.at(-1)! / scrollSeconds, cpuMsPerSecond: cpuMs / seconds }
}

/** Frames of each connection that is over, as the X server logs them. */
async function sentFrames(guest: GuestChannel): Promise<number[]> {
  const { stdout } = await guest.run(['cat', guestDesktop.log], { cwd: '/' })
  return [...stdout.toString().matchAll(/Framebuffer updates: (\d+)/g)].map(([, count]) => Number(count))
}

async function benchIdle(report: Report, window: WindowApp): Promise<void> {
  const shownPercent: number[] = []
  const hiddenPercent: number[] = []
  const idle = async () => {
    const pids = await appPids(window)
    await settle()
    const [before, startedAt] = [cpuMsOf(pids), nowMs()]
    await sleep(idleSeconds * 1_000)
    return ((cpuMsOf(pids) - before) / (nowMs() - startedAt)) * 100
  }
  for (let at = 0; at < idles; at++) {
    const pane = await showPane(window)
    shownPercent.push(await idle())
    await pane.close()
    hiddenPercent.push(await idle())
  }
  report.note(`CPU of main process, page and GPU process with nothing to do: ${median(shownPercent).toFixed(2)} % with the pane, ${median(hiddenPercent).toFixed(2)} % without`)
  report.median(`CPU that the pane adds in ${idleSeconds} s in which nothing changes`, '%', shownPercent.map((value, at) => value - hiddenPercent[at]!), idleLimit)
}

async function benchScreenshot(report: Report, world: World, guest: GuestChannel, id: string): Promise<void> {
  const timeMs = async (work: () => Promise<unknown>) => {
    const startedAt = nowMs()
    await work()
    return nowMs() - startedAt
  }
  const throughChannel = () => timeMs(() => takeScreenshot(guest))
  const throughPodman = () => timeMs(() => demand(world.podman(['exec', id, 'python3', '-c', screenshotProgram, '0', '0', '0', '0', '0'])))
  report.ratio('a picture of 1280 × 800 through an open channel', 'podman exec of the same program', await measureInTurn(shots, throughChannel, throughPodman), shotLimit)
  report.ratio('paddock screenshot', 'podman exec of the same program', await measureInTurn(shots / 2, () => timeMs(() => demand(world.paddock(['screenshot', id]))), throughPodman), null)
}

async function demand(ended: Promise<Ended>): Promise<void> {
  const { code, stderr } = await ended
  if (code !== 0) throw new Error(`It ended with ${code}:\n${stderr.slice(-2_000)}`)
}
