import { readFileSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFailed, test } from 'vitest'
import { createDesktopActions, type DesktopActions } from '../electron/core/desktops/desktop-actions.ts'
import type { GuestChannel } from '../electron/core/guest/guest-channel.ts'
import { backdrop, drawnDesktop, type DrawnDesktop, untilDrawn } from './fixtures/desktop.ts'
import { openGuest } from './fixtures/guest.ts'
import { readPng } from './fixtures/png.ts'
import { answerDialogs } from './fixtures/system-dialog.ts'
import { launch, openWindow, type WindowApp, writeSettings } from './fixtures/window-app.ts'
import { createWorld, until, type World } from './harness.ts'

// What is done with a desktop besides typing in it: keys that this machine would take, the wheel, how it is shown, addresses. One sandbox for all.
let world: World
let window: WindowApp
let guest: GuestChannel
let actions: DesktopActions
let desktop: DrawnDesktop
let project: string

beforeAll(async () => {
  world = createWorld('window-desktop-bar')
  writeSettings(world)
  const { code, stderr } = await world.paddock(['build', 'desktop'])
  expect(code, stderr).toBe(0)
  window = await openWindow(world)
  project = world.project('worked')
  desktop = drawnDesktop(window)
  await launch(window, project, 'desktop')
  await untilDrawn(desktop)
  guest = await openGuest(world, (await world.ls())[0]!.id)
  actions = createDesktopActions(async () => guest)
  await until('the panel is drawn', async () => !(await desktop.hasColour(40, 10, backdrop)))
})
afterAll(async () => {
  guest?.close()
  await window?.kill()
  await world.dispose()
})

const contentOf = (name: string) => readFile(join(project, name), 'utf8').catch(() => '')
const choose = async (button: string, item: string) => {
  await desktop.box.getByRole('button', { name: button }).click()
  await window.page.getByRole('menuitem', { name: item, exact: true }).click()
}
const isOpen = async (title: RegExp, isActive = true) => (await actions.windows()).some((one) => title.test(one.title) && (!isActive || one.isActive))

/** Shows what comes to a window of the desktop, in a file of the project. */
async function openListener(file: string): Promise<void> {
  await actions.launch(['sh', '-c', `exec stdbuf -oL xev -name ${file} -geometry 400x300+200+200 -event keyboard -event button > ${file}`], guest.workdir)
  // A window manager gives them to a new window as it sees fit.
  await until('the listener has the keys of the desktop', async () => {
    await guest.run(['xdotool', 'search', '--name', `^${file}$`, 'windowactivate'])
    return isOpen(new RegExp(`^${file}$`))
  })
}
async function closeListener(file: string): Promise<void> {
  await guest.run(['pkill', '-f', `xev -name ${file}`])
  await until('the listener is gone', async () => !(await isOpen(new RegExp(`^${file}$`), false)))
}

describe('keys that this machine would take', () => {
  test('Ctrl+Alt+Del asks in the desktop whether the session is to end', async () => {
    await choose('Send keys', 'Ctrl+Alt+Del')
    await until('the desktop asks', async () => !(await desktop.hasColour(640, 700, backdrop)))
    // It darkens the screen before it takes keys.
    await until('it goes on', async () => {
      await window.page.keyboard.press('Escape')
      return desktop.hasColour(640, 700, backdrop)
    })
  })

  test('Super and Alt+Tab reach the desktop, and Alt+F4 closes a window of it', async () => {
    await openListener('first.txt')
    await choose('Send keys', 'Super')
    await until('the desktop has the key', async () => /KeyPress[^]*Super_L[^]*KeyRelease[^]*Super_L/.test(await contentOf('first.txt')))
    await openListener('second.txt')
    await choose('Send keys', 'Alt+Tab')
    await until('the first window is active again', () => isOpen(/^first\.txt$/))
    await choose('Send keys', 'Alt+F4')
    await until('it is closed', async () => !(await isOpen(/^first\.txt$/, false)))
    expect(await isOpen(/^second\.txt$/, false)).toBe(true)
    await closeListener('second.txt')
  })

  test('Ctrl+Alt+T opens a terminal', async () => {
    await choose('Send keys', 'Ctrl+Alt+T')
    await until('a terminal is open', () => isOpen(/Terminal/, false)).catch(async (error: Error) => {
      throw new Error(`${error.message}; there are ${JSON.stringify(await actions.windows())}`)
    })
    await until('it has the keys', () => isOpen(/Terminal/))
    await choose('Send keys', 'Alt+F4')
    await until('it is closed', async () => !(await isOpen(/Terminal/, false)))
  })
})

test('the wheel turns in all four directions', async () => {
  await openListener('wheel.txt')
  await desktop.move(400, 450)
  for (const [x, y, button] of [[0, -120, 4], [0, 120, 5], [-120, 0, 6], [120, 0, 7]] as const) {
    await window.page.mouse.wheel(x, y)
    await until(`it turned as button ${button}`, async () => [...(await contentOf('wheel.txt')).matchAll(/ButtonPress event[^]*?button (\d+),/g)].at(-1)?.[1] === String(button))
  }
  await closeListener('wheel.txt')
})

test('a dead key and a letter arrive as one, once', async () => {
  await actions.launch(['xfce4-terminal', '--disable-server', '--title', 'dead', '-x', 'sh', '-c', 'echo ready > dead.txt; cat >> dead.txt'], guest.workdir)
  await until('the terminal has the keys of the desktop', async () => (await contentOf('dead.txt')) !== '' && (await isOpen(/^dead$/)))
  await desktop.focus()
  const cdp = await window.page.context().newCDPSession(window.page)
  // As Chromium tells of them on Linux: the dead key begins a composition, which the letter ends.
  const pressed = async (key: string, code: string, text: string) => {
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Dead', code: 'Equal', windowsVirtualKeyCode: 229 })
    await cdp.send('Input.imeSetComposition', { text: '´', selectionStart: 1, selectionEnd: 1 })
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', key: 'Dead', code: 'Equal' })
    await cdp.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', key: 'Process', code, windowsVirtualKeyCode: 229 })
    await cdp.send('Input.insertText', { text })
    await cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code })
  }
  await pressed('e', 'KeyE', 'é')
  await window.page.keyboard.type('x')
  await pressed('a', 'KeyA', 'á')
  await window.page.keyboard.press('Enter')
  await window.page.keyboard.press('Control+d')
  await until('the file has the line', async () => (await contentOf('dead.txt')) === 'ready\néxá\n').catch(async (error: Error) => {
    throw new Error(`${error.message}; it has ${JSON.stringify(await contentOf('dead.txt'))}`)
  })
})

describe('how it is shown', () => {
  const figures = () => desktop.box.getByRole('status', { name: 'Frames and bandwidth' })
  const readFigures = async () => {
    const [, frames, kib] = /(\d+) fps · (\d+) KiB\/s/.exec(await figures().innerText())!
    return { frames: Number(frames), kib: Number(kib) }
  }

  test('frames and bandwidth are told when wanted, and a lower quality takes fewer bytes', async () => {
    expect(await figures().count()).toBe(0)
    await choose('More for the desktop', 'Show frames and bandwidth')
    await until('nothing is drawn', async () => (await readFigures()).frames === 0)
    // Cells of any colour, which are packed with loss.
    writeFileSync(join(project, 'colours.py'), `import random, sys, time
cell = lambda: "\\x1b[48;2;%d;%d;%dm " % tuple(random.randrange(256) for _ in range(3))
while True:
    sys.stdout.write("\\x1b[H" + "\\r\\n".join("".join(cell() for _ in range(80)) for _ in range(20)))
    sys.stdout.flush()
    time.sleep(0.2)
`)
    await actions.launch(['xfce4-terminal', '--disable-server', '--geometry', '80x20+100+100', '-x', 'python3', 'colours.py'], guest.workdir)
    const kibOfFrame = async (quality: string, fits: (kib: number) => boolean) => {
      await choose('More for the desktop', quality)
      return until(`a frame is of ${quality}`, async () => {
        const { frames, kib } = await readFigures()
        return frames >= 2 && fits(kib / frames) && kib / frames
      })
    }
    const high = await kibOfFrame('High quality', (kib) => kib > 20)
    await kibOfFrame('Low quality, fewer bytes', (kib) => kib < high * 0.6)
    await kibOfFrame('High quality', (kib) => kib > high * 0.8)
    await choose('More for the desktop', 'Medium quality')
    await guest.run(['pkill', '-f', 'colours.py'])
    await until('nothing is drawn again', async () => (await readFigures()).frames === 0)
    await choose('More for the desktop', 'Hide frames and bandwidth')
    await figures().waitFor({ state: 'detached' })
  })

  test('it fills the screen, with its keys and menus, and is left again', async () => {
    onTestFailed(() => window.page.evaluate('document.exitFullscreen()'))
    await openListener('full.txt')
    const fills = () => window.page.evaluate('document.fullscreenElement?.className ?? null')
    await desktop.box.getByRole('button', { name: 'Full screen', exact: true }).click()
    await until('it fills the screen', async () => (await fills()) === 'desktop')
    // They follow a moment after the picture.
    await until('keys go there', async () => {
      await window.page.keyboard.press('g')
      return /KeyPress[^]*keysym 0x67, g/.test(await contentOf('full.txt'))
    })
    await choose('Send keys', 'Super')
    await until('so do those of the menu', async () => /KeyPress[^]*Super_L/.test(await contentOf('full.txt')))
    await desktop.box.getByRole('button', { name: 'Leave full screen' }).click()
    await until('it is in its pane again', async () => (await fills()) === null)
    await desktop.box.getByRole('button', { name: 'Full screen', exact: true }).waitFor()
    await closeListener('full.txt')
  })

  test('a picture of it is saved where the person says', async () => {
    const file = join(world.folder, 'picture.png')
    await answerDialogs(window, file)
    await choose('More for the desktop', 'Save a picture…')
    await window.page.getByText(`The picture is in ${file}.`).first().waitFor({ state: 'attached' })
    const picture = readPng(readFileSync(file))
    expect(picture).toMatchObject({ width: 1280, height: 800 })
    expect(picture.at(640, 700)).toEqual([...backdrop])
    expect(picture.at(40, 10)).not.toEqual([...backdrop])
  })
})

describe('an address', () => {
  const served = [['typed', [192, 0, 192]], ['printed', [0, 0, 224]]] as const
  let port: number

  beforeAll(async () => {
    for (const [name, rgb] of served) writeFileSync(join(project, `${name}.html`), `<!doctype html><title>${name}</title><body style="background:rgb(${rgb.join()})">`)
    port = await freePort()
    await actions.launch(['python3', '-m', 'http.server', String(port), '--bind', '127.0.0.1'], guest.workdir)
    await until('it is served', async () => (await guest.run(['curl', '--silent', '--fail', `http://127.0.0.1:${port}/typed.html`])).exitCode === 0)
  })

  /** Prints a link behind a word and clicks it. */
  const clickLink = async (word: string, url: string) => {
    await window.type('clear')
    await window.type(String.raw`printf '\033]8;;%s\033\\%s\033]8;;\033\\\n' '${url}' ${word.slice(0, 3)}""${word.slice(3)}`)
    await window.shows(new RegExp(`^${word}`, 'm'))
    const at = await until('the word has a place', () =>
      window.page.evaluate<{ x: number; y: number } | null>(`(() => {
        const box = [...document.querySelectorAll('.terminal-box')].find((one) => one.offsetParent !== null)
        const screen = box.querySelector('.xterm-screen').getBoundingClientRect()
        const rows = [...box.querySelectorAll('.xterm-accessibility-tree > *')].map((row) => row.textContent)
        const row = rows.findLastIndex((line) => line.startsWith(${JSON.stringify(word)}))
        return row < 0 ? null : { x: screen.left + 12, y: screen.top + (row + 0.5) * screen.height / rows.length }
      })()`),
    )
    await window.page.mouse.move(at.x, at.y + 200)
    await window.page.mouse.move(at.x, at.y, { steps: 4 })
    await window.page.mouse.click(at.x, at.y)
    return window.page.getByRole('alertdialog', { name: 'Open an address outside' })
  }

  test('that the person types is opened in the desktop’s browser', async () => {
    await choose('More for the desktop', 'Open an address…')
    await window.page.getByRole('textbox', { name: 'Address' }).fill(`http://127.0.0.1:${port}/typed.html`)
    await window.page.keyboard.press('Enter')
    await until('Chromium shows it', () => desktop.hasColour(640, 500, served[0][1]), 90_000)
  })

  test('that a program prints is opened in the desktop’s browser', async () => {
    const asked = await clickLink('loginhere', `http://127.0.0.1:${port}/printed.html`)
    await asked.getByRole('button', { name: 'In the desktop' }).click()
    await until('Chromium shows it', () => desktop.hasColour(640, 500, served[1][1]), 90_000)
  })

  test('of a login is opened outside, and its way back leads into the sandbox', async () => {
    await window.app.evaluate(({ shell }) => {
      const opened: string[] = []
      Object.assign(globalThis, { opened })
      shell.openExternal = async (url) => void opened.push(url)
    })
    const url = `https://login.example/?redirect_uri=http%3A%2F%2Flocalhost%3A${port}%2Ftyped.html`
    const asked = await clickLink('loginthere', url)
    await asked.getByText(`Port ${port} then leads back into the sandbox.`).waitFor()
    await asked.getByRole('button', { name: 'Open', exact: true }).click()
    await until('it is opened outside', async () => (await window.app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)).includes(url))
    expect(await (await fetch(`http://127.0.0.1:${port}/typed.html`)).text()).toContain('<title>typed</title>')
  })
})

/** A port that nothing on this machine has. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
