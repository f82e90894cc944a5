import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDesktopActions, type DesktopActions } from '../electron/core/desktops/desktop-actions.ts'
import type { GuestChannel } from '../electron/core/guest/guest-channel.ts'
import { type DrawnDesktop, drawnDesktop, untilDrawn } from './fixtures/desktop.ts'
import { openGuest } from './fixtures/guest.ts'
import { launch, openWindow, usePage, type WindowApp, type WindowPage, writeSettings } from './fixtures/window-app.ts'
import { createWorld, until, type World } from './harness.ts'

// A sandbox's desktop in a window of its own. One sandbox for all, in this order.
let world: World
let window: WindowApp
/** The main window, which a test closes and opens again. */
let main: WindowPage
let desktop: DrawnDesktop
let guest: GuestChannel
let actions: DesktopActions
let project: string
let id: string

beforeAll(async () => {
  world = createWorld('window-desktop-alone')
  writeSettings(world)
  const { code, stderr } = await world.paddock(['build', 'desktop'])
  expect(code, stderr).toBe(0)
  main = window = await openWindow(world)
  desktop = drawnDesktop(main)
  project = world.project('alone')
  await launch(window, project, 'desktop')
  await untilDrawn(desktop)
  id = (await world.ls())[0]!.id
  guest = await openGuest(world, id)
  actions = createDesktopActions(async () => guest)
})
afterAll(async () => {
  guest?.close()
  await window?.kill()
  await world.dispose()
})

const title = 'alone – desktop – Paddock'
const pages = () => window.app.windows().filter((page) => page.url().startsWith('paddock://app/desktop.html'))
const titles = () => window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.getTitle()))
/** Does something with a window as its frame's buttons do. */
const onFrame = (named: string, what: 'close' | 'isFocused') =>
  window.app.evaluate(({ BrowserWindow }, [name, act]) => BrowserWindow.getAllWindows().find((one) => one.getTitle() === name)?.[act!](), [named, what] as const)
const contentOf = (name: string) => readFile(join(project, name), 'utf8').catch(() => null)
const isGone = () => until('its window is gone', async () => pages().length === 0 && (await titles()).join() === 'Paddock')

async function openAlone(): Promise<{ page: Page; desktop: DrawnDesktop }> {
  await desktop.box.getByRole('button', { name: 'Show it in a window of its own' }).click()
  const page = await until('it has a window of its own', () => pages()[0])
  page.setDefaultTimeout(60_000)
  const own = drawnDesktop({ page })
  await untilDrawn(own)
  return { page, desktop: own }
}

describe('a desktop in a window of its own', () => {
  let own: Awaited<ReturnType<typeof openAlone>>

  test('is drawn there, and its tab says where it is', async () => {
    own = await openAlone()
    expect((await titles()).toSorted()).toEqual(['Paddock', title])
    await desktop.box.getByText('The desktop is in a window of its own.').waitFor()
    expect(await desktop.box.locator('canvas').count()).toBe(0)
    // The terminal goes on.
    await main.type('echo still-$((40 + 2))')
    await main.shows(/still-42/)
  })

  test('has one window, which comes to the front when it is asked for again', async () => {
    await desktop.box.getByRole('button', { name: 'Go to it' }).click()
    await until('it has the focus', () => onFrame(title, 'isFocused'))
    expect(await titles()).toHaveLength(2)
  })

  test('takes what is typed', async () => {
    await actions.launch(['xfce4-terminal', '--disable-server', '--geometry', '80x20+200+200', '--title', 'typed', '-x', 'sh', '-c', 'cat > typed.txt'], guest.workdir)
    await until('the terminal has the keys of the desktop', async () => (await contentOf('typed.txt')) !== null && (await actions.windows()).some(({ title: name, isActive }) => name === 'typed' && isActive))
    await own.desktop.focus()
    await own.page.keyboard.type('from its own window: größe')
    await own.page.keyboard.press('Enter')
    await own.page.keyboard.press('Control+d')
    await until('the file has the line', async () => (await contentOf('typed.txt')) === 'from its own window: größe\n')
  })

  test('pauses agents from its bar', async () => {
    await own.desktop.box.getByRole('button', { name: 'Pause agents that work here through MCP' }).click()
    await own.desktop.box.getByText('Agents paused').waitFor()
    expect(await main.call('desktop.board', { id })).toMatchObject({ ok: true, value: { isPaused: true } })
    await own.desktop.box.getByRole('button', { name: 'Let agents go on' }).click()
    await own.desktop.box.getByText('Agents paused').waitFor({ state: 'detached' })
  })

  describe('whose page was taken over', () => {
    const refused = { ok: false, error: { code: 'usage', message: 'This page may not call Paddock.' } }
    const run = (script: string): Promise<unknown> => own.page.evaluate(script)
    const call = (name: string, input: unknown) => run(`paddock.call(${JSON.stringify(name)}, ${JSON.stringify(input)}, crypto.randomUUID())`)
    /** What a port is told first. */
    const port = (page: Page, message: object) =>
      page.evaluate(`new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = ({ data }) => resolve(data.type)
        port1.addEventListener('close', () => resolve('nothing'))
        window.postMessage(${JSON.stringify(message)}, '*', [port2])
      })`)
    const other = 'b'.repeat(64)
    const calls = (): [string, object][] => [
      ['settings.get', {}],
      ['settings.set', { theme: 'dark' }],
      ['sandbox.list', {}],
      ['sandbox.stop', { ids: [id], id }],
      ['sandbox.attach', { id }],
      ['sandbox.launch', { project, profile: 'minimal', acceptFindings: true }],
      ['files.list', { id, root: 'project', path: '.' }],
      ['ports.forward', { id, port: 22 }],
      ['app.openExternal', { url: 'https://example.com/' }],
      ['desktop.windows', {}],
      ['desktop.openWindow', { id, view: { scale: 'fit', quality: 'low', isViewOnly: false, hasFigures: false } }],
      ['desktop.pause', { id: other, isPaused: true }],
      ['desktop.screenshot', { id: other }],
      ['desktop.closeWindow', { id: other }],
    ]

    test('reaches its own desktop and nothing else, whatever it says its address is', async () => {
      expect(await call('desktop.board', { id })).toMatchObject({ ok: true })
      for (const [name, input] of calls()) expect(await call(name, input), name).toEqual(refused)
      const address = await run('location.href')
      await run("history.replaceState(null, '', '/')")
      expect(await run('location.href')).toBe('paddock://app/')
      for (const [name, input] of calls()) expect(await call(name, input), name).toEqual(refused)
      await run(`history.replaceState(null, '', ${JSON.stringify(address)})`)
    })

    test('gets no terminal and no other desktop', async () => {
      const { value } = (await main.call('sandbox.attach', { id })) as { value: { terminalId: string } }
      const terminal = { type: 'paddock:terminal', terminalId: value.terminalId }
      expect([await port(main.page, terminal), await port(own.page, terminal)]).toEqual(['replay', 'exit'])
      expect([await port(main.page, { type: 'paddock:desktop', sandboxId: other }), await port(own.page, { type: 'paddock:desktop', sandboxId: other })]).toEqual(['closed', 'nothing'])
    })

    test('hears of its own sandbox only', async () => {
      await run('globalThis.heard = []; paddock.onEvent((event) => heard.push(event.type)); undefined')
      expect(await main.call('settings.set', { theme: 'light' })).toMatchObject({ ok: true })
      await call('desktop.pause', { id, isPaused: true })
      await call('desktop.pause', { id, isPaused: false })
      await until('it heard of the pause', async () => ((await run('heard')) as string[]).includes('desktop-changed'))
      expect(await run('[...new Set(heard)].sort()')).toSatisfy((heard: string[]) => heard.every((type) => ['desktop-changed', 'sandboxes'].includes(type)))
    })

    test('has nothing of Node, leads nowhere and opens nothing', async () => {
      expect(await run('[typeof require, typeof process, typeof module].join()')).toBe('undefined,undefined,undefined')
      const address = await run('location.href')
      await run("location.href = 'https://example.com/'; undefined")
      await run("location.href = 'paddock://app/'; undefined")
      expect(await run("window.open('paddock://app/')")).toBeNull()
      await expect(run("fetch('https://example.com/').then(() => 'reached')")).rejects.toThrow()
      expect(await run('location.href')).toBe(address)
      expect(await titles()).toHaveLength(2)
    })
  })

  test('is in its tab again when its window is closed', async () => {
    await onFrame(title, 'close')
    await isGone()
    await untilDrawn(desktop)
  })

  test('is brought back from its tab', async () => {
    own = await openAlone()
    await desktop.box.getByRole('button', { name: 'Show it here' }).click()
    await isGone()
    await untilDrawn(desktop)
  })

  test('is brought back from its window, and its tab comes in sight', async () => {
    own = await openAlone()
    await main.page.getByRole('navigation').getByRole('button', { name: 'alone', exact: true }).click()
    await desktop.box.waitFor({ state: 'hidden' })
    await own.desktop.box.getByRole('button', { name: 'Show it in the main window' }).click()
    await isGone()
    await untilDrawn(desktop)
  })

  test('is opened and hidden by the palette', async () => {
    const choose = async (text: string) => {
      await main.page.getByRole('button', { name: 'Command palette' }).click()
      await main.page.getByRole('combobox').fill(text)
      await main.page.getByRole('option', { name: text }).click()
    }
    await choose('Show the desktop in a window of its own')
    await untilDrawn(drawnDesktop({ page: await until('it has a window of its own', () => pages()[0]) }))
    await choose('Hide the desktop')
    await isGone()
    expect(await desktop.box.count()).toBe(0)
    await choose('Show the desktop beside the terminal')
    await untilDrawn(desktop)
    await choose('Show the desktop full screen')
    await until('it fills the screen', () => main.page.evaluate('document.fullscreenElement?.className === "desktop"'))
    await main.page.evaluate('document.exitFullscreen()')
  })

  test('ends with the main window, and is in its tab when that is opened again', async () => {
    await openAlone()
    // Whoever closes the last window is asked about the sandbox that runs, and goes back here.
    await window.app.evaluate(({ dialog }) => Object.assign(dialog, { showMessageBox: async () => ({ response: 2, checkboxChecked: false }) }))
    await onFrame('Paddock', 'close')
    await until('no window is left', async () => (await titles()).length === 0)
    const [page] = await Promise.all([window.app.waitForEvent('window'), window.app.evaluate(({ app }) => void app.emit('activate'))])
    main = await usePage(page)
    desktop = drawnDesktop(main)
    await main.page.getByRole('tab', { name: /^alone/ }).click()
    await untilDrawn(desktop)
    expect(pages()).toEqual([])
  })

  test('says so when its sandbox ends, and closes', async () => {
    own = await openAlone()
    expect((await world.paddock(['stop', id])).code).toBe(0)
    await own.page.getByText('The sandbox has ended').waitFor()
    await own.page.getByRole('button', { name: 'Close this window' }).click()
    await isGone()
    expect(await main.call('desktop.openWindow', { id, view: { scale: 'fit', quality: 'low', isViewOnly: false, hasFigures: false } })).toMatchObject({ ok: false, error: { code: 'desktop-unavailable' } })
  })
})
