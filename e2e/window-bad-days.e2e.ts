import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { launch, launchButton, openProject, openWindow, type WindowApp, writeSettings } from './fixtures/window-app.ts'
import { installRecordingRuntime } from './fixtures/recording-runtime.ts'
import { containersOf, createWorld, onMinimal, podmanPath, until, type World } from './harness.ts'
import { openTerminal } from './terminal.ts'

// What a person does, or what befalls them, in a bad moment.
let world: World
let window: WindowApp

beforeEach(() => {
  world = createWorld('window-bad-days')
  writeSettings(world)
})
afterEach(async () => {
  await window?.kill()
  await world.dispose()
})

const commandLines = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      } catch {
        return ''
      }
    })
const running = async () => (await world.ls()).filter(({ state }) => state === 'running').map(({ id }) => id)
/** Answers the app's questions, one after the other, instead of a person; the last answer holds for all that follow. */
const answer = (...buttons: number[]) =>
  window.app.evaluate(({ dialog }, responses) => {
    dialog.showErrorBox = () => {}
    dialog.showMessageBox = (async () => ({ response: responses.length > 1 ? responses.shift() : responses[0], checkboxChecked: false })) as typeof dialog.showMessageBox
  }, buttons)
const chooseQuit = () =>
  window.app
    .evaluate(({ Menu }) => Menu.getApplicationMenu()!.items[0]!.submenu!.items.at(-1)!.click())
    // The answer may be lost with the app.
    .catch(() => {})

describe('quitting', () => {
  test('in the middle of a build calls it off and leaves nothing', async () => {
    world.profile('e2e-quit-build', onMinimal(undefined, ['RUN sleep 617']))
    window = await openWindow(world)
    await openProject(window, world.project('half-way'), 'e2e-quit-build')
    await launchButton(window).click()
    await window.screen.getByText('RUN sleep').first().waitFor()
    // Sandboxes of other tests may run, about which it asks.
    await answer(0)
    await chooseQuit()
    await window.over
    expect(await containersOf(world)).toEqual([])
    expect((await world.podman(['image', 'exists', 'localhost/paddock:e2e-quit-build'])).code).toBe(1)
    await until('what it ran is over', () => !commandLines().includes(['sleep', '617', ''].join('\0')))
  })

  test('in the middle of a launch leaves no half of a sandbox', async () => {
    // A Podman that takes its time to start one.
    const slow = join(world.folder, 'slow-podman')
    writeFileSync(slow, `#!/bin/sh\ncase " $* " in *' run '*) sleep 2; esac\nexec '${podmanPath}' "$@"\n`)
    chmodSync(slow, 0o755)
    window = await openWindow(world, { env: { PADDOCK_PODMAN: slow } })
    await openProject(window, world.project('half-way'), 'minimal')
    await launchButton(window).click()
    await window.screen.getByRole('heading', { name: 'Launching minimal' }).waitFor()
    await answer(0)
    await chooseQuit()
    await window.over
    expect(await containersOf(world)).toEqual([])
    expect(readdirSync(world.launchesFolder)).toEqual([])
  })

  test('with a stop that fails says so, and stays or goes as the person wants', async () => {
    const broken = join(world.folder, 'podman-that-stops-nothing')
    writeFileSync(broken, `#!/bin/sh\ncase $1 in kill|stop) echo 'Error: it does not want to' >&2; exit 125; esac\nexec '${podmanPath}' "$@"\n`)
    chmodSync(broken, 0o755)
    window = await openWindow(world, { env: { PADDOCK_PODMAN: broken } })
    await launch(window, world.project('stubborn'))
    const before = await running()
    expect(before).toHaveLength(1)
    await answer(1, 0)
    await chooseQuit()
    await window.type('echo here-$((40 + 2))')
    await window.shows(/here-42/)
    await answer(1, 1)
    await chooseQuit()
    await window.over
    expect(await running()).toEqual(before)
  })
})

test('a page that crashes again and again takes no sandbox with it, and the next start shows it', async () => {
  window = await openWindow(world)
  await launch(window, world.project('crashes'))
  const before = await running()
  await answer(0)
  const crash = () => window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer()).catch(() => {})
  const isOver = () => Promise.race([window.over.then(() => true), new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 700))])
  // It is loaded anew three times within a minute; then the app gives up, and without a tray it ends.
  await until('the app gives up', async () => {
    await crash()
    return isOver()
  })
  expect(await running()).toEqual(before)
  window = await openWindow(world)
  await window.screen.getByRole('tab', { name: /crashes/ }).click()
  await window.type('echo still-$((40 + 2))')
  await window.shows(/still-42/)
})

test('the podman command that is copied gives the same sandbox in any shell', async () => {
  window = await openWindow(world)
  const folder = world.project('copied Über')
  await launch(window, folder)
  await window.screen.getByRole('button', { name: 'More', exact: true }).click()
  await window.page.getByRole('menuitem', { name: 'Copy podman command' }).click()
  const command = await until('the command is copied', () => window.app.evaluate(({ clipboard }) => clipboard.readText()).then((text) => text.startsWith('podman run ') && text))
  await window.type('exit')
  await window.screen.getByText(/Ended with exit code 0/).waitFor()
  const terminal = openTerminal(['/bin/sh', '-c', command.replace(/^podman/, `'${podmanPath}'`)], world.env, '/')
  await terminal.expect(/\$ /)
  terminal.type('pwd; touch "made here"; id -un; echo end-$((40 + 2))\r')
  await terminal.expect(/end-42/)
  expect(terminal.text).toMatch(/\/home\/ai\/sandbox\r?\nai\r?\n/)
  terminal.type('exit\r')
  expect(await terminal.ended()).toBe(0)
  expect(readdirSync(folder)).toEqual(['made here'])
})

test('a sandbox that Paddock ended, because it is no microVM, says so in the window', async () => {
  await installRecordingRuntime(world, '+LIBKRUN')
  writeSettings(world, { isolation: 'microvm' })
  window = await openWindow(world, { env: { PADDOCK_ISOLATION: undefined } })
  const { obstacle } = ((await window.call('host.isolation', {})) as { value: { obstacle: { why: string } | null } }).value
  await openProject(window, world.project('no microVM'), 'minimal')
  await window.screen.getByRole('button', { name: /launch/i }).last().click()
  // Where the host has no KVM the launch is refused before anything starts.
  await window.screen.getByText(obstacle === null ? /runs on the host’s own kernel/ : /\/dev\/kvm/).first().waitFor()
  await until('it is ended', async () => (await running()).length === 0)
})
