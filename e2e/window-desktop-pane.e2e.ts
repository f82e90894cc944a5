import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDesktopActions, type DesktopActions } from '../electron/core/desktops/desktop-actions.ts'
import type { GuestChannel } from '../electron/core/guest/guest-channel.ts'
import { backdrop, drawnDesktop, type DrawnDesktop, untilDrawn } from './fixtures/desktop.ts'
import { hostileScreens, slowScreen } from './fixtures/hostile-screens.ts'
import { openGuest } from './fixtures/guest.ts'
import { launch, openWindow, type WindowApp, writeSettings } from './fixtures/window-app.ts'
import { createWorld, until, type World } from './harness.ts'

// A sandbox's desktop in the window: the real XFCE, seen and worked in. Two sandboxes for all, in this order.
let world: World
let window: WindowApp
let guest: GuestChannel
let actions: DesktopActions
let desktop: DrawnDesktop
let project: string

beforeAll(async () => {
  world = createWorld('window-desktop-pane')
  writeSettings(world)
  const { code, stderr } = await world.paddock(['build', 'desktop'])
  expect(code, stderr).toBe(0)
  window = await openWindow(world)
  project = world.project('desk')
  desktop = drawnDesktop(window)
})
afterAll(async () => {
  guest?.close()
  await window?.kill()
  await world.dispose()
})

const run = async (...argv: [string, ...string[]]) => (await guest.run(argv)).stdout.toString()
const contentOf = (name: string) => readFile(join(project, name), 'utf8').catch(() => null)
const hostClipboard = () => window.app.evaluate(({ clipboard }) => clipboard.readText())
/** A terminal whose first program writes what is typed into a file of the project. */
async function openCat(file: string): Promise<void> {
  await actions.launch(['xfce4-terminal', '--disable-server', '--geometry', '80x20+200+200', '--title', file, '-x', 'sh', '-c', `cat > ${file}`], guest.workdir)
  await until('the terminal has the keys of the desktop', async () => (await contentOf(file)) !== null && (await actions.windows()).some(({ title, isActive }) => title === file && isActive))
  await desktop.focus()
}
/** A key as a keyboard with the German layout gives it, with AltGr. */
async function pressAltGr(key: string, code: string): Promise<void> {
  const cdp = await window.page.context().newCDPSession(window.page)
  const altGr = { key: 'AltGraph', code: 'AltRight', windowsVirtualKeyCode: 225, location: 2 }
  await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...altGr })
  await cdp.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code, text: key })
  await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code })
  await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...altGr })
  await cdp.detach()
}
const choose = async (button: string, item: string) => {
  await desktop.box.getByRole('button', { name: button }).click()
  await window.page.getByRole('menuitem', { name: item }).click()
}

/** By its name: other tests run sandboxes at the same time, which are in the same list. */
const showTab = (name: string) => window.page.getByRole('tab', { name: new RegExp(`^${name}\\b(?!2)`) }).first().click()

describe('a desktop', () => {
  test('appears beside the terminal by itself, and no port of this machine leads to it', async () => {
    await launch(window, project, 'desktop')
    await untilDrawn(desktop)
    const [sandbox] = await world.ls()
    expect(sandbox).toMatchObject({ hasDesktop: true, ports: [] })
    guest = await openGuest(world, sandbox!.id)
    actions = createDesktopActions(async () => guest)
    const listening = (await run('cat', '/proc/net/tcp', '/proc/net/tcp6')).split('\n').filter((line) => / 0A /.test(line)).map((line) => line.trim().split(/\s+/)[1]!.split(':'))
    expect(listening.length).toBeGreaterThan(0)
    expect(listening.map(([address]) => address)).toEqual(listening.map(() => '0100007F'))
  })

  test('opens its menu at a click, and closes it at Escape', async () => {
    await until('the panel is drawn', async () => !(await desktop.hasColour(40, 10, backdrop)))
    expect(await desktop.hasColour(60, 120, backdrop)).toBe(true)
    await desktop.click(50, 13)
    await until('the menu is open', async () => !(await desktop.hasColour(60, 120, backdrop)))
    await window.page.keyboard.press('Escape')
    await until('the menu is closed', () => desktop.hasColour(60, 120, backdrop))
  })

  test('takes the first letter that is on no key for what it is', async () => {
    await openCat('first.txt')
    await window.page.keyboard.insertText('日本語')
    await window.page.keyboard.press('Enter')
    await window.page.keyboard.press('Control+d')
    await until('the file has a line', async () => (await contentOf('first.txt'))?.endsWith('\n'))
    expect(await contentOf('first.txt')).toBe('日本語\n')
  })

  test('takes what is typed: letters, umlauts, AltGr of a German keyboard, and what an input method gives', async () => {
    await openCat('typed.txt')
    await window.page.keyboard.type('hello ÄÖÜß ')
    for (const [key, code] of [['@', 'KeyQ'], ['\\', 'Minus'], ['|', 'IntlBackslash'], ['€', 'KeyE']] as const) await pressAltGr(key, code)
    await window.page.keyboard.insertText(' 日本語のテスト')
    await window.page.keyboard.press('Enter')
    await window.page.keyboard.press('Control+d')
    await until('the file has the line', async () => (await contentOf('typed.txt')) === 'hello ÄÖÜß @\\|€ 日本語のテスト\n').catch(async (error: Error) => {
      throw new Error(`${error.message}; it has ${JSON.stringify(await contentOf('typed.txt'))}`)
    })
  })

  test('shares the clipboard in both directions, with any letters', async () => {
    await openCat('pasted.txt')
    await window.app.evaluate(({ clipboard }) => clipboard.writeText('von außen – 漢字 😀'))
    await window.page.keyboard.press('Control+Shift+V')
    // The terminal asks for it; a line end that comes sooner stands before it.
    await until('what was pasted has arrived', async () => {
      await window.page.keyboard.press('Enter')
      return (await contentOf('pasted.txt'))!.trim() === 'von außen – 漢字 😀'
    })
    await window.page.keyboard.press('Control+d')
    await run('sh', '-c', 'printf "aus dem Kasten: größe 漢字 😀" | xclip -selection clipboard >/dev/null 2>&1')
    await until('what was copied is in the person’s clipboard', async () => (await hostClipboard()) === 'aus dem Kasten: größe 漢字 😀')
  })

  test('gives the person nothing that was copied while their keys are elsewhere', async () => {
    await window.page.keyboard.press('Shift+F12')
    await until('the keys are the window’s', async () => !(await desktop.box.getByRole('textbox').evaluate((box) => box === box.ownerDocument.activeElement)))
    await window.app.evaluate(({ clipboard }) => clipboard.writeText('mine'))
    await run('sh', '-c', 'printf "not asked for" | xclip -selection clipboard >/dev/null 2>&1')
    // What is drawn after it comes after it.
    for (const _again of [1, 2]) {
      await actions.click({ x: 50, y: 13 }, 'left', 1, [])
      await until('the menu is open', async () => !(await desktop.hasColour(60, 120, backdrop)))
      await actions.press('Escape', 1)
      await until('the menu is closed', () => desktop.hasColour(60, 120, backdrop))
    }
    expect(await hostClipboard()).toBe('mine')
  })

  test('takes the size of the pane when told to, and is scaled otherwise', async () => {
    expect(await desktop.size()).toEqual({ width: 1280, height: 800 })
    await choose('Size', 'Resize the desktop to the pane')
    const pane = (await desktop.box.locator('.desktop-screen').boundingBox())!
    await until('the desktop has the pane’s size', async () => (await desktop.size()).width === Math.floor(pane.width))
    expect(await run('xdotool', 'getdisplaygeometry')).toBe(`${Math.floor(pane.width)} ${Math.floor(pane.height)}\n`)
    await choose('Size', 'Scale to fit')
    await run('xrandr', '--size', '1280x800').catch(() => {})
  })

  test('is only looked at when told so', async () => {
    await desktop.box.getByRole('button', { name: 'View only' }).click()
    await desktop.click(50, 13)
    await desktop.box.getByRole('button', { name: 'Work in it again' }).click()
    // Had the first click counted, this one would close the menu.
    await desktop.click(50, 13)
    await until('the menu is open', async () => !(await desktop.hasColour(60, 120, backdrop)))
    await window.page.keyboard.press('Escape')
    await until('the menu is closed', () => desktop.hasColour(60, 120, backdrop))
  })

  test('comes back by itself after its X server was killed', async () => {
    const before = await run('pgrep', '-x', 'Xvnc')
    await run('pkill', '-KILL', '-x', 'Xvnc')
    await until('another X server runs', async () => !['', before].includes(await run('pgrep', '-x', 'Xvnc')))
    await until('its panel is drawn', async () => (await desktop.hasColour(640, 700, backdrop)) && !(await desktop.hasColour(40, 10, backdrop)))
  })

  test('opens web addresses only, whatever a page asks for', async () => {
    expect((await window.call('desktop.openUrl', { id: 'f'.repeat(64), url: 'file:///etc/passwd' })) as object).toMatchObject({ ok: false, error: { message: 'Only web addresses are opened.' } })
  })
})

describe('a second desktop', () => {
  test('is shown at the same time as the first', async () => {
    await launch(window, world.project('desk2'), 'desktop')
    await untilDrawn(desktop)
    await showTab('desk')
    await untilDrawn(desktop)
    expect((await world.ls()).map(({ hasDesktop, state }) => ({ hasDesktop, state }))).toEqual([{ hasDesktop: true, state: 'running' }, { hasDesktop: true, state: 'running' }])
    await showTab('desk2')
    guest.close()
    guest = await openGuest(world, (await world.ls()).find(({ project: of }) => of?.endsWith('desk2'))!.id)
  })

  test('is asked for the next frame while one is on its way', async () => {
    await run('pkill', '-KILL', '-f', 'paddock-desktop|Xvnc')
    await guest.exec(['python3', '-c', slowScreen, 'hostile'], { cwd: guest.workdir })
    await until('both halves of its frame are drawn', async () => (await desktop.hasColour(320, 100, [0x66, 0x33, 0x99])) && (await desktop.hasColour(320, 400, [0x20, 0xc0, 0x40])))
    // The first question is noVNC's own; the second came before there was a whole frame.
    expect(await readFile(join(dirname(project), 'desk2/asked'), 'utf8')).toBe('whole\nagain\n')
  })

  test.each(hostileScreens)('whose VNC is %s ends its connection, and nothing else', async (_what, script, why) => {
    await run('pkill', '-KILL', '-f', 'paddock-desktop|Xvnc|hostile')
    await guest.exec(['python3', '-c', script, 'hostile'], { cwd: '/' })
    let text = ''
    await until(`the pane says: ${why}`, async () => {
      text = await desktop.box.innerText()
      if (why.test(text)) return true
      if (text.includes('Connect again')) await desktop.box.getByRole('button', { name: 'Connect again' }).click({ timeout: 1_000 }).catch(() => {})
      return false
    }).catch((error: Error) => {
      throw new Error(`${error.message}; it says:\n${text}`)
    })
    const answeredAt = performance.now()
    await window.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    expect(performance.now() - answeredAt).toBeLessThan(5_000)
    const rss = await window.app.evaluate(({ app }) => app.getAppMetrics().filter(({ type }) => type === 'Tab').reduce((sum, { memory }) => Math.max(sum, memory.workingSetSize), 0))
    expect(rss / 1024, 'MiB of the page').toBeLessThan(900)
  })

  test('that is stopped while it is shown says so', async () => {
    const { id } = (await world.ls()).find(({ project: of }) => of?.endsWith('desk2'))!
    expect((await world.paddock(['stop', id])).code).toBe(0)
    await until('the pane has no desktop any more', async () => (await desktop.box.count()) === 0 || /ended|not running/.test(await desktop.box.innerText({ timeout: 1_000 }).catch(() => '')))
    await showTab('desk')
    await untilDrawn(desktop)
  })
})
