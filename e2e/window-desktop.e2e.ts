import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type FakeDesktop, startDesktop } from './fixtures/fake-desktop.ts'
import { launch, launchButton, openProject, openWindow, type WindowApp, writeSettings } from './fixtures/window-app.ts'
import { createWorld, onMinimal, removeContainersOf, until, type World } from './harness.ts'

// The app on a desktop's session bus: a panel reads and clicks its tray icon, and notifications arrive and are clicked.
let world: World
let desktop: FakeDesktop
let window: WindowApp

beforeAll(async () => {
  // A storage of its own, because the tray tells of everything that runs, and a quit may stop it.
  world = createWorld('window-desktop', { ownStore: true })
  const { code, stderr } = await world.paddock(['build', 'minimal'])
  expect(code, stderr).toBe(0)
})
beforeEach(async () => {
  writeSettings(world)
  desktop = await startDesktop(world.folder)
})
afterEach(async () => {
  await window?.kill()
  await desktop?.stop()
  await endService()
  await removeContainersOf(world)
  rmSync(join(world.folder, 'state'), { recursive: true, force: true })
})
afterAll(() => world.dispose())

/** The Podman services of this test's storage; see proc(5). */
function services(): string[] {
  const commandOf = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    } catch {
      return ''
    }
  }
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).includes(world.folder) && commandOf(pid).includes('\0service\0'))
}
/** What a killed app leaves would end by itself, but only after a while. */
async function endService(): Promise<void> {
  for (const pid of services()) process.kill(Number(pid))
  await until('the service has ended', () => services().length === 0)
}

const open = async () => {
  window = await openWindow(world, { env: desktop.env })
}
const openWithTray = async () => {
  await desktop.openTray()
  await open()
  await until('the icon is in the tray', async () => (await desktop.menu()).length > 0)
}
const labels = async () => (await desktop.menu()).map(({ label }) => label)
const isVisible = () => window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible())
/** Closes the window as its frame's button does. The answer may be lost with the app. */
const closeWindow = () => window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.close()).catch(() => {})
const hide = async () => {
  await closeWindow()
  await until('the window is hidden', async () => !(await isVisible()))
}
const running = async () => (await world.ls()).filter(({ state }) => state === 'running').map(({ id }) => id)
/** A sandbox that the app did not start, which does what it is told on its standard input. */
const runOutside = (project: string) => {
  const child = spawn(process.execPath, ['dist/paddock.cjs', 'run', 'minimal', '--project', project, '--', 'sh'], { env: { ...process.env, ...world.env } as NodeJS.ProcessEnv, stdio: ['pipe', 'ignore', 'ignore'] })
  return { tell: (line: string) => child.stdin.write(`${line}\n`) }
}
const hideAtOnce = async () => {
  await window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.hide())
  await until('the window is hidden', async () => !(await isVisible()))
}
/** Podman's events are the account's, whatever its storage: what other tests' sandboxes do is told too. */
const told = (...projects: string[]) => desktop.shown.filter(({ body }) => projects.some((name) => body.startsWith(`${name} `) || body.endsWith(`, for ${name}`)))
/** What ends before the app listens to Podman is told by nobody; a sandbox takes longer to start than its service to answer. */
const listens = () => until('Podman is listened to', () => services().length > 0)
/** By the time that a later end has been told, everything before it has. */
const laterEndIsTold = async () => {
  runOutside(world.project('later')).tell('exit 9')
  await until('the later end is told', () => told('later')[0])
}

describe('the tray', () => {
  test('shows what runs and what was used last, and opens, shows, launches', async () => {
    await openWithTray()
    expect(await labels()).toEqual(['No sandbox is running', 'Open Paddock', 'Quit'])
    await launch(window, world.project('first'))
    const [first] = await running()
    await until('the tray knows of it', async () => (await labels()).includes('first · minimal'))
    expect(await labels()).toEqual(['1 running', 'first · minimal', 'Launch first · minimal', 'Open Paddock', 'Quit'])

    await hide()
    await desktop.choose('Open Paddock')
    await until('the window is shown', isVisible)

    await openProject(window, world.project('second'), 'minimal')
    await hide()
    await desktop.choose('first · minimal')
    await until('the window is shown', isVisible)
    await window.screen.getByRole('tab', { name: /first/, selected: true }).waitFor()

    await hide()
    await desktop.choose('Launch first · minimal')
    await until('another sandbox runs', async () => (await running()).length === 2)
    expect(await running()).toContain(first)
    await until('the tray knows of it', async () => (await labels())[0] === '2 running')
    expect(await isVisible()).toBe(true)
  })

  test('quits, and asks first while a sandbox runs', async () => {
    await openWithTray()
    await launch(window, world.project('asked'))
    const before = await running()
    const answer = (response: number) =>
      window.app.evaluate(({ dialog }, choice) => {
        const asked = ((globalThis as { asked?: unknown[] }).asked ??= [])
        dialog.showMessageBox = (async (...words: unknown[]) => {
          asked.push(words.at(-1))
          return { response: choice, checkboxChecked: false }
        }) as typeof dialog.showMessageBox
      }, response)
    await answer(2)
    await desktop.choose('Quit')
    const [question] = await until('it asks', () => window.app.evaluate(() => (globalThis as { asked?: { message: string; buttons: string[]; defaultId: number }[] }).asked))
    expect(question).toMatchObject({ message: 'A sandbox is running.', buttons: ['Leave running', 'Stop and quit', 'Cancel'], defaultId: 0 })
    await window.type('echo still-$((40 + 2))')
    await window.shows(/still-42/)
    await hide()
    await answer(1)
    await desktop.choose('Quit')
    await window.over
    expect(before).toHaveLength(1)
    expect(await running()).toEqual([])
    expect(await desktop.icons()).toEqual([])
    expect(told('asked')).toEqual([])
  })

  test('keeps the app when the window is closed, and is gone at once when it is switched off', async () => {
    await openWithTray()
    await hide()
    expect(await window.call('settings.set', { tray: false })).toMatchObject({ ok: true })
    await until('the icon is gone', async () => (await desktop.icons()).length === 0)
    expect(await window.call('settings.set', { tray: true })).toMatchObject({ ok: true })
    await desktop.choose('Open Paddock')
    await until('the window is shown', isVisible)
  })

  test('is not missed: without one the window’s end is the app’s, and the sandboxes go on', async () => {
    await open()
    await launch(window, world.project('kept'))
    const before = await running()
    await window.app.evaluate(({ dialog }) => {
      dialog.showMessageBox = (async () => ({ response: 0, checkboxChecked: false })) as typeof dialog.showMessageBox
    })
    await closeWindow()
    await window.over
    expect(await running()).toEqual(before)
    expect(before).toHaveLength(1)
  })

  test('comes and goes with the panel', async () => {
    await open()
    await desktop.openTray()
    await until('the icon is in the tray', async () => (await labels()).includes('Open Paddock'))
    await hide()
    desktop.closeTray()
    await desktop.openTray()
    await until('the icon is in the new tray', async () => (await labels()).includes('Open Paddock'))
    expect(await isVisible()).toBe(false)
    await desktop.choose('Open Paddock')
    await until('the window is shown', isVisible)
    desktop.setHost(false)
    await until('the icon is gone', async () => (await desktop.icons()).length === 0)
    await closeWindow()
    await window.over
  })
})

describe('a notification', () => {
  test('tells of a sandbox that ended badly, once, and leads to its tab', async () => {
    await open()
    const mine = world.project('mine')
    await launch(window, mine)
    await openProject(window, world.project('other'), 'minimal')
    await window.screen.getByRole('tab', { name: /mine/ }).click()
    // By a file: nobody types into a window that is hidden.
    await window.type('echo waits-$((40 + 2)); until [ -e go ]; do sleep 0.1; done; exit 3')
    await window.shows(/waits-42/)
    await hideAtOnce()
    writeFileSync(join(mine, 'go'), '')
    const shown = await until('it is told', () => told('mine')[0])
    expect(shown).toMatchObject({ title: 'Sandbox ended', body: 'mine ended with exit code 3.' })
    desktop.click(shown)
    await until('the window is shown', isVisible)
    await window.screen.getByRole('tab', { name: /mine/, selected: true }).waitFor()
    await hideAtOnce()
    await laterEndIsTold()
    expect(told('mine')).toHaveLength(1)
  })

  test('tells of a sandbox that the app never had to do with, and leads to its project', async () => {
    await open()
    await hideAtOnce()
    await listens()
    runOutside(world.project('outside')).tell('exit 4')
    const shown = await until('it is told', () => told('outside')[0])
    expect(shown).toMatchObject({ title: 'Sandbox ended', body: 'outside ended with exit code 4.' })
    desktop.click(shown)
    await window.screen.getByRole('heading', { name: 'outside' }).waitFor()
    expect(await isVisible()).toBe(true)
  })

  test('tells of one that plain Podman started', async () => {
    await open()
    await hideAtOnce()
    await listens()
    const project = world.project('plain')
    const { stdout } = await world.podman(['run', '--rm', '--detach', '--interactive', '--volume', `${project}:/home/ai/sandbox:z`, '--entrypoint', 'sh', 'localhost/paddock:minimal'])
    // It carries no labels of a launch: only the list knows its project.
    await window.screen.getByRole('tab', { name: /plain/ }).waitFor({ state: 'attached' })
    const child = spawn(world.env.PADDOCK_PODMAN!, ['attach', stdout.trim()], { env: { ...process.env, ...world.env } as NodeJS.ProcessEnv, stdio: ['pipe', 'ignore', 'ignore'] })
    child.stdin.end('exit 5\n')
    expect(await until('it is told', () => told('plain')[0])).toMatchObject({ title: 'Sandbox ended', body: 'plain ended with exit code 5.' })
  })

  test('does not tell of a good end, of one that was asked for, nor of what the person sees', async () => {
    await open()
    const [good, , seen] = ['good', 'stopped', 'seen'].map((name) => runOutside(world.project(name)))
    await until('they run', async () => (await running()).length === 3)
    const idOf = async (name: string) => (await world.ls()).find(({ project }) => project!.endsWith(`/${name}`))!.id
    await until('the window is watched', () => window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isFocused()))
    seen!.tell('exit 6')
    await until('it ended', async () => (await running()).length === 2)
    await window.screen.getByRole('tab', { name: /seen/ }).waitFor({ state: 'detached' })
    await hideAtOnce()
    good!.tell('exit 0')
    expect(await window.call('sandbox.stop', { ids: [await idOf('stopped')] })).toMatchObject({ ok: true })
    await until('all ended', async () => (await running()).length === 0)
    await laterEndIsTold()
    expect(told('good', 'stopped', 'seen')).toEqual([])
  })

  test('tells of a build that ended, well or badly, and not of one that was cancelled', async () => {
    world.profile('e2e-notify', onMinimal(undefined, [`RUN sleep 2; echo ${Date.now()}`]))
    world.profile('e2e-notify-bad', onMinimal(undefined, ['RUN sleep 2; exit 7']))
    world.profile('e2e-notify-cancelled', onMinimal(undefined, ['RUN sleep 60']))
    await open()
    const hideWhileItBuilds = async () => {
      await window.screen.getByText('RUN sleep').first().waitFor()
      await hideAtOnce()
    }
    const show = () => window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.show())

    await openProject(window, world.project('cancelled'), 'e2e-notify-cancelled')
    await launchButton(window).click()
    await hideWhileItBuilds()
    // A hidden page draws nothing, so there is nothing to point at.
    await window.screen.getByRole('button', { name: 'Cancel' }).dispatchEvent('click')
    await window.screen.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' })
    await show()

    await openProject(window, world.project('bad'), 'e2e-notify-bad')
    await launchButton(window).click()
    await hideWhileItBuilds()
    const bad = await until('the failure is told', () => told('bad')[0], 60_000)
    expect(bad).toMatchObject({ title: 'Build failed', body: 'e2e-notify-bad, for bad' })
    await show()

    await openProject(window, world.project('built'), 'e2e-notify')
    await launchButton(window).click()
    await hideWhileItBuilds()
    expect(await until('the end is told', () => told('built')[0], 60_000)).toMatchObject({ title: 'Image built', body: 'e2e-notify, for built' })
    await until('it runs', async () => (await running()).length === 1)
    desktop.click(bad)
    await window.screen.getByRole('heading', { name: 'bad' }).waitFor()
    expect(await isVisible()).toBe(true)
    expect(told('cancelled', 'bad', 'built')).toHaveLength(2)
    expect(await running()).toHaveLength(1)
  })
})
