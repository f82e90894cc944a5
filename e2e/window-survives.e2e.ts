import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { launch, openWindow, type WindowApp, windowArguments, writeSettings } from './fixtures/window-app.ts'
import { createWorld, until, type World, type WorldOptions } from './harness.ts'

// What outlives the window, the app, and a day on which the app is killed.
const electron = createRequire(import.meta.url)('electron') as unknown as string
let world: World
let window: WindowApp

async function begin(options?: WorldOptions): Promise<void> {
  world = createWorld('window-survives', options)
  writeSettings(world)
  window = await openWindow(world)
}
async function end(): Promise<void> {
  await window?.kill()
  await world.dispose()
}
beforeEach(() => begin())
afterEach(end)

const running = async () => (await world.ls()).filter(({ state }) => state === 'running').map(({ id }) => id)
/** Answers the question what becomes of running sandboxes, instead of a person. */
const answerQuit = (button: number) =>
  window.app.evaluate(({ dialog }, response) => {
    dialog.showMessageBox = (async () => ({ response, checkboxChecked: false })) as typeof dialog.showMessageBox
  }, button)
const chooseQuit = () =>
  window.app
    .evaluate(({ Menu }) => Menu.getApplicationMenu()!.items[0]!.submenu!.items.at(-1)!.click())
    // The answer may be lost with the app.
    .catch(() => {})

describe('a sandbox', () => {
  test('survives the app’s SIGKILL, and the next start finds the same shell with its screen', async () => {
    await launch(window, world.project('kept'))
    await window.type('state=kept-$((40 + 2)); cd /tmp; echo set')
    await window.shows(/^set/m)
    const before = await running()
    await window.kill()
    expect(await running()).toEqual(before)
    window = await openWindow(world)
    await window.screen.getByRole('tab', { name: /kept/ }).click()
    await window.shows(/^set/m)
    await window.type('echo $state in $PWD')
    await window.shows(/kept-42 in \/tmp/)
    expect(await running()).toEqual(before)
  })

  test('is left running by a quit that says so, and attached by the next start', async () => {
    await launch(window, world.project('left'))
    const before = await running()
    await answerQuit(2)
    await chooseQuit()
    await window.type('echo still-$((40 + 3))')
    await window.shows(/still-43/)
    await answerQuit(0)
    await chooseQuit()
    await window.over
    expect(await running()).toEqual(before)
    window = await openWindow(world)
    await window.screen.getByRole('tab', { name: /left/ }).click()
    await window.shows(/still-43/)
    await window.type('echo again-$((40 + 4))')
    await window.shows(/again-44/)
  })

  test('is stopped by a quit that says so', async () => {
    // With all others that Podman knows, and other tests have some.
    await end()
    await begin({ ownStore: true })
    await launch(window, world.project('stopped'))
    await answerQuit(1)
    await chooseQuit()
    await window.over
    expect(await world.ls()).toEqual([])
  })

  test('keeps its tab and its screen through a crash of the page', async () => {
    await launch(window, world.project('crash'))
    await window.type('echo before-$((40 + 5))')
    await window.shows(/before-45/)
    await window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.webContents.forcefullyCrashRenderer())
    // Playwright takes no part in a page that crashed, and a script that the crash met is never answered.
    const look = (script: string) =>
      window.app.evaluate(
        ({ BrowserWindow }, code) => Promise.race([BrowserWindow.getAllWindows()[0]!.webContents.executeJavaScript(code).catch(() => ''), new Promise((resolve) => setTimeout(resolve, 1_000))]),
        script,
      )
    await until('the tab is back', () => look("[...document.querySelectorAll('[role=tab]')].find((tab) => tab.textContent.includes('crash'))?.click() ?? document.querySelector('[role=tab]')?.textContent"))
    await until('its screen is back', async () => String(await look("document.querySelector('.xterm-accessibility')?.innerText ?? ''")).includes('before-45'))
  })
})

describe('a second start', () => {
  const startAgain = (...args: string[]) =>
    new Promise<number | null>((resolve) => {
      const env = { ...process.env, ...world.env } as NodeJS.ProcessEnv
      spawn(electron, windowArguments(world, args), { cwd: world.folder, env, stdio: 'ignore' }).once('exit', resolve)
    })

  test('opens its folder in the window that is there', async () => {
    const folder = world.project('handed Över')
    expect(await startAgain(folder)).toBe(0)
    await window.screen.getByRole('heading', { name: 'handed Över' }).waitFor()
    // An answer may be lost while the app is busy with the other start.
    expect(await until('the windows are counted', () => window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length).catch(() => null))).toBe(1)
  })

  test('without a folder shows the window and adds no project', async () => {
    await window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.hide())
    expect(await startAgain()).toBe(0)
    await until('the window is shown', () => window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.isVisible()))
    expect(await window.call('project.list', {})).toEqual({ ok: true, value: [] })
  })
})

describe('what was set', () => {
  test('is obeyed at once, and after the next start', async () => {
    await window.page.getByRole('button', { name: 'Settings' }).click()
    await window.page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
    await until('the app is dark', () => window.app.evaluate(({ nativeTheme }) => nativeTheme.shouldUseDarkColors))
    expect(JSON.parse(readFileSync(world.settingsFile, 'utf8'))).toEqual({ screenReader: true, theme: 'dark' })
    await window.kill()
    window = await openWindow(world)
    expect(await window.app.evaluate(({ nativeTheme }) => nativeTheme.themeSource)).toBe('dark')
  })

  test('and is damaged, is set aside and named', async () => {
    await window.kill()
    writeFileSync(world.settingsFile, '{"theme": "da')
    mkdirSync(join(world.folder, 'state/paddock'), { recursive: true })
    writeFileSync(join(world.folder, 'state/paddock/projects.json'), '[{')
    window = await openWindow(world)
    await until('the file is set aside', async () => (await window.call('settings.get', {}) as { ok: boolean }).ok)
    await window.screen.getByRole('heading', { name: 'Open a project folder' }).waitFor()
    for (const file of [world.settingsFile, join(world.folder, 'state/paddock/projects.json')]) {
      expect(readdirSync(dirname(file)).filter((name) => name.startsWith(`${basename(file)}.damaged-`))).toHaveLength(1)
    }
  })
})

describe('without the mouse', () => {
  test('the palette finds and does what is typed', async () => {
    await window.call('project.add', { folder: world.project('from the palette') })
    await window.page.keyboard.press('Control+k')
    await window.page.getByRole('combobox').last().fill('host')
    await window.page.keyboard.press('Enter')
    await window.page.getByRole('complementary', { name: 'Host' }).waitFor()
    await window.page.keyboard.press('Control+k')
    await window.page.getByRole('combobox').last().fill('from the pal')
    await window.page.keyboard.press('Enter')
    await window.screen.getByRole('heading', { name: 'from the palette' }).waitFor()
    await window.page.keyboard.press('Control+k')
    await window.page.keyboard.press('Escape')
    expect(await window.page.getByRole('dialog').count()).toBe(0)
  })
})
