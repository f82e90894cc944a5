import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDesktopBoards } from '../electron/core/desktops/desktop-board.ts'
import { backdrop } from './fixtures/desktop.ts'
import { startSandbox } from './fixtures/guest.ts'
import { type McpClient, openStdio } from './fixtures/mcp.ts'
import { type Picture, readPng } from './fixtures/png.ts'
import { createWorld, until, type World } from './harness.ts'
import { ctrlC } from './terminal.ts'

// A desktop without the window: pictures by the command, and an agent that works it through MCP. One sandbox for all, in this order.
let world: World
let project: string
let id: string
let mcp: McpClient

beforeAll(async () => {
  world = createWorld('desktop')
  const { code, stderr } = await world.paddock(['build', 'desktop'])
  expect(code, stderr).toBe(0)
  project = world.project()
  id = await startSandbox(world, 'desktop', project)
})
afterAll(async () => {
  await mcp?.close()
  await world.dispose()
})

const isNear = (seen: readonly number[], colour: readonly number[]) => seen.every((value, at) => Math.abs(value - colour[at]!) <= 4)
const isBackdrop = (picture: Picture, x: number, y: number) => isNear(picture.at(x, y), backdrop)
/** A picture by the command, as soon as there can be one. */
async function shoot(...more: string[]): Promise<Picture> {
  const { code, bytes, stderr } = await world.paddock(['screenshot', id, ...more])
  expect(code, stderr).toBe(0)
  return readPng(bytes)
}
/** A picture by MCP, with what it says of itself. */
async function look(input: Record<string, unknown> = {}): Promise<{ picture: Picture; scale: number }> {
  const { content, structuredContent } = (await mcp.client.callTool({ name: 'desktop_screenshot', arguments: input })) as unknown as { content: { type: string; data: string; mimeType: string }[]; structuredContent: { scale: number } }
  expect(content[0]).toMatchObject({ type: 'image', mimeType: 'image/png' })
  return { picture: readPng(Buffer.from(content[0]!.data, 'base64')), scale: structuredContent.scale }
}

describe('paddock screenshot', () => {
  test('gives the whole desktop, as soon as it is drawn', async () => {
    await until('the desktop is drawn', async () => {
      const { code, bytes } = await world.paddock(['screenshot', id])
      return code === 0 && isBackdrop(readPng(bytes), 640, 700)
    })
    expect(await shoot()).toMatchObject({ width: 1280, height: 800 })
  })

  test('writes a region into a file, after waiting', async () => {
    const file = join(world.folder, 'shot.png')
    const began = performance.now()
    expect(await world.paddock(['screenshot', id, '-o', file, '--region', '200x100+1180+750', '--wait', '1'])).toMatchObject({ code: 0, stdout: '' })
    expect(performance.now() - began).toBeGreaterThan(1_000)
    // What of it lies outside of the screen is left out.
    expect(readPng(readFileSync(file))).toMatchObject({ width: 100, height: 50 })
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test.each([
    [['--region', '10x10+5000+0'], /lies outside of the screen, which is 1280x800/],
    [['--region', 'all'], /is no region/],
    [['--wait', 'soon'], /is no time to wait/],
  ])('refuses %j', async (more, why) => {
    const { code, stderr } = await world.paddock(['screenshot', id, ...more])
    expect(code).toBe(2)
    expect(stderr).toMatch(why)
  })

  test('says where no file can be written', async () => {
    const { code, stderr } = await world.paddock(['screenshot', id, '-o', '/no/such/folder/shot.png'])
    expect({ code, stderr }).toEqual({ code: 125, stderr: expect.stringContaining('/no/such/folder cannot be used: it does not exist') })
  })

  test('says what is missing where there is no desktop', async () => {
    const { code, stderr } = await world.paddock(['exec', id, '--env', 'DISPLAY=:7', '--', 'python3', '-c', 'from PIL import ImageGrab; ImageGrab.grab(xdisplay="")'])
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/open display|X connection failed/)
  })
})

describe('an agent with the tools of MCP', () => {
  beforeAll(async () => {
    mcp = await openStdio(world, ['--project', project])
  })

  test('is told of a place before it has seen anything, or outside of what it saw', async () => {
    expect(await mcp.call('desktop_click', { x: 1, y: 1 })).toMatchObject({ isError: true, text: expect.stringMatching(/no screenshot yet/) })
    await look({ max_side: 640 })
    expect(await mcp.call('desktop_click', { x: 641, y: 1 })).toMatchObject({ isError: true, text: expect.stringMatching(/640 × 400/) })
  })

  test('draws a rectangle in a paint program, in pixels of a smaller picture', async () => {
    await mcp.value('desktop_launch', { command: ['mtpaint'] })
    const paint = async () => ((await mcp.value('desktop_windows')) as { windows: { title: string; x: number; y: number }[] }).windows.find(({ title }) => /^mtpaint/i.test(title))
    await until('the paint program is there', paint)
    const seen = await until('its black canvas is drawn', async () => {
      const { picture, scale } = await look({ max_side: 640 })
      const canvas = blackCanvas(picture)
      return canvas && { picture, scale, canvas }
    })
    expect({ width: seen.picture.width, scale: seen.scale }).toEqual({ width: 640, scale: 2 })
    const window = (await paint())!
    const { stdout: drawn } = await world.paddock(['exec', id, '--', 'xwininfo', '-name', window.title])
    expect([...drawn.matchAll(/Absolute upper-left [XY]: +(-?\d+)/g)].map(([, at]) => Number(at)), drawn).toEqual([window.x, window.y])
    const { x, y } = seen.canvas
    const [from, to] = [{ x: x - 40, y: y - 10 }, { x: x + 40, y: y + 10 }]
    expect(await mcp.value('desktop_drag', { path: [from, to] })).toEqual({ desktop_x: to.x * 2 + 1, desktop_y: to.y * 2 + 1 })
    // Dragging selects there; the button fills what is selected with the pen's red.
    await mcp.value('desktop_click', { x: 271, y: 68 })
    await until('the rectangle is red', async () => {
      const after = (await look()).picture
      const isRed = (atX: number, atY: number) => isNear(after.at(atX * 2, atY * 2), [255, 0, 0])
      return isRed(x, y) && isRed(x - 30, y - 6) && isRed(x + 30, y + 6) && !isRed(x, y + 14) && !isRed(x + 48, y)
    })
    expect((await world.paddock(['exec', id, '--', 'pkill', 'mtpaint'])).code).toBe(0)
  })

  test('fills a form in Chromium, and the page shows that it was filled', async () => {
    writeFileSync(join(project, 'form.html'), `<!doctype html><meta charset="utf-8"><title>Form</title><body style="margin:0;background:#fff"><form style="padding:0"
      onsubmit="event.preventDefault(); if (name.value === 'Grüße 日本') document.body.style.background = '#00c000'">
      <input id="name" name="name" style="position:absolute;left:0;top:0;width:600px;height:200px;background:#c000c0;border:0;font-size:40px"></form>`)
    const opened = await world.paddock(['exec', id, '--', 'sh', '-c', 'cd /home/ai/sandbox && setsid --fork python3 -m http.server 8000 --bind 127.0.0.1 >/dev/null 2>&1'])
    expect(opened.code, opened.stderr).toBe(0)
    expect(await world.paddock(['open-url', id, 'http://127.0.0.1:8000/form.html'])).toMatchObject({ code: 0 })
    const field = await until('Chromium shows the form', async () => find((await look()).picture, [192, 0, 192]), 90_000)
    await mcp.value('desktop_click', { x: field.x + 20, y: field.y + 20 })
    await mcp.value('desktop_type', { text: 'Grüße 日本' })
    await mcp.value('desktop_key', { keys: 'Return' })
    await until('the page is green', async () => find((await look()).picture, [0, 192, 0]))
  })

  test('types every letter of a text that has more of them than the keyboard has keys to spare', async () => {
    const text = 'Grüße «€» 日本語テスト 한국어 Привет ñ 😀 Съешь же ещё этих мягких французских булок, да выпей чаю\n'
    const file = join(project, 'typed.txt')
    await mcp.value('desktop_launch', { command: ['xfce4-terminal', '--disable-server', '--title', 'typed', '-x', 'sh', '-c', 'cat > typed.txt'] })
    await until('the terminal has the keys', async () => ((await mcp.value('desktop_windows')) as { windows: { title: string; active: boolean }[] }).windows.some(({ title, active }) => title === 'typed' && active) && existsSync(file))
    await mcp.value('desktop_type', { text })
    await mcp.value('desktop_key', { keys: 'ctrl+d' })
    await until('all of it has arrived', () => readFileSync(file, 'utf8').length >= text.length)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  test('is stopped by the person’s pause, and leaves a mark of where it acts', async () => {
    const boards = createDesktopBoards(join(world.folder, 'state/paddock/desktops'))
    await look()
    await boards.pause(id, true)
    expect(await mcp.call('desktop_click', { x: 600, y: 600 })).toMatchObject({ isError: true, text: expect.stringMatching(/person has paused/) })
    expect(await mcp.call('desktop_screenshot')).not.toMatchObject({ isError: true })
    await boards.pause(id, false)
    const pointer = async () => (await world.paddock(['exec', id, '--', 'xdotool', 'getmouselocation'])).stdout
    const before = await pointer()
    const dragging = mcp.call('desktop_drag', { path: Array.from({ length: 50 }, (_, at) => ({ x: at % 2 === 0 ? 500 : 700, y: 600 })) })
    await until('it drags', async () => (await pointer()) !== before)
    await boards.pause(id, true)
    expect(await dragging).toMatchObject({ isError: true, text: expect.stringMatching(/person has paused/) })
    const stopped = await pointer()
    expect(await pointer()).toBe(stopped)
    await boards.pause(id, false)
    await mcp.value('desktop_scroll', { x: 600, y: 600, direction: 'down' })
    expect((await boards.read(id)).act).toMatchObject({ tool: 'desktop_scroll', place: { x: 600, y: 600 } })
  })

  test.each([
    ['desktop_launch', { command: ['no-such-program'] }, /no program no-such-program/],
    ['desktop_launch', { command: ['/etc/passwd'] }, /no program \/etc\/passwd/],
    ['desktop_key', { keys: 'NoSuchKey' }, /names no key/],
  ])('is told what is wrong with %s', async (tool, input, why) => {
    expect(await mcp.call(tool, input)).toMatchObject({ isError: true, text: expect.stringMatching(why) })
  })
})

describe('paddock open-url', () => {
  test('takes web addresses only, and needs a way back for --outside', async () => {
    expect(await world.paddock(['open-url', id, 'file:///etc/passwd'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/no web address/) })
    expect(await world.paddock(['open-url', id, 'http://localhost:99999'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/no web address/) })
    expect(await world.paddock(['open-url', id, '--outside', 'https://example.com'])).toMatchObject({ code: 2, stderr: expect.stringMatching(/leads to no port/) })
  })

  test('with --outside leads the login’s way back into the sandbox', async () => {
    const command = world.terminal(['open-url', id, '--outside', 'https://login.example/?redirect_uri=http%3A%2F%2Flocalhost%3A8000%2F'])
    await command.expect(/127\.0\.0\.1:8000 leads to port 8000.*Open it in your browser: https:\/\/login/s)
    const taken = await world.paddock(['open-url', id, '--outside', 'http://localhost:8000/form.html'])
    expect(taken).toMatchObject({ code: 2, stderr: expect.stringMatching(/something else listens there/) })
    expect(taken.stderr).not.toContain('Open it in your browser')
    expect(await (await fetch('http://127.0.0.1:8000/form.html')).text()).toContain('<title>Form</title>')
    command.type(ctrlC)
    expect(await command.ended()).toBe(0)
  })
})

/** A place well inside of the paint program's canvas: above the middle of the last of the longest black lines. */
function blackCanvas(picture: Picture): { x: number; y: number } | null {
  let best = { x: 0, y: 0, length: 100 }
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0, length = 0; x < picture.width; x++) {
      length = picture.at(x, y).every((value) => value < 5) ? length + 1 : 0
      if (length >= best.length) best = { x: Math.round(x - length / 2), y, length }
    }
  }
  return best.y === 0 ? null : { x: best.x, y: best.y - 30 }
}

/** The first pixel of a colour, row by row. */
function find(picture: Picture, colour: readonly number[]): { x: number; y: number } | null {
  for (let y = 0; y < picture.height; y += 2) for (let x = 0; x < picture.width; x += 2) if (isNear(picture.at(x, y), colour)) return { x, y }
  return null
}
