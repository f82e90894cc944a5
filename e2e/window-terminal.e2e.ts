import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, openWindow, type WindowApp, writeSettings } from './fixtures/window-app.ts'
import { createWorld, until, type World } from './harness.ts'

// What a person does in the embedded terminal, on a real shell in a real sandbox.
let world: World
let window: WindowApp

beforeAll(async () => {
  world = createWorld('window-terminal')
  writeSettings(world)
  const { code, stderr } = await world.paddock(['build', 'minimal'])
  expect(code, stderr).toBe(0)
  window = await openWindow(world)
  await launch(window, world.project('terminal'))
})
afterAll(async () => {
  await window?.kill()
  await world.dispose()
})

const press = (keys: string) => window.page.keyboard.press(keys)
const input = () => window.page.getByRole('textbox', { name: 'Terminal input' }).filter({ visible: true })
const readClipboard = () => window.app.evaluate(({ clipboard }) => clipboard.readText())
const writeClipboard = (text: string) => window.app.evaluate(({ clipboard }, words) => clipboard.writeText(words), text)
const clear = () => window.type('clear')

/** Where a text stands on the screen, in CSS pixels: the middle of its first character. */
async function placeOf(text: string) {
  return until(`the place of ${text}`, () =>
    window.page.evaluate<{ x: number; y: number } | null>(`(() => {
      const box = [...document.querySelectorAll('.terminal-box')].find((one) => one.offsetParent !== null)
      const screen = box.querySelector('.xterm-screen').getBoundingClientRect()
      const rows = [...box.querySelectorAll('.xterm-accessibility-tree > *')].map((row) => row.textContent)
      const row = rows.findLastIndex((line) => line.includes(${JSON.stringify(text)}))
      if (row < 0) return null
      const cell = box.querySelector('.xterm-char-measure-element')?.getBoundingClientRect().width / 32
      return { x: screen.left + (rows[row].indexOf(${JSON.stringify(text)}) + 0.5) * cell, y: screen.top + (row + 0.5) * screen.height / rows.length }
    })()`),
  )
}

describe('the terminal', () => {
  test('tells programs that it has all colours', async () => {
    await window.type('echo $TERM:$COLORTERM:$(tput colors 2>/dev/null || echo -)')
    await window.shows(/xterm-256color:truecolor:/)
  })

  test('is drawn by WebGL, or by its own renderer where that cannot be', async () => {
    const canWebgl = await window.page.evaluate("document.createElement('canvas').getContext('webgl2', { failIfMajorPerformanceCaveat: true }) !== null")
    expect(await window.page.locator('.terminal-box canvas').count() > 0).toBe(canWebgl)
    await window.page.evaluate("document.querySelectorAll('.terminal-box canvas').forEach((canvas) => canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext())")
    await window.type('echo drawn-$((40 + 2))')
    await window.shows(/drawn-42/)
  })

  test('gives wide characters two columns, as the shell counts them', async () => {
    await clear()
    await window.type(String.raw`printf '\346\227\245\346\234\254\033[6n'; read -rs -d R place; echo; echo "place=${'$'}{place#*[}"`)
    await window.shows(/place=\d+;5/)
  })

  test('Ctrl-C answers in the middle of a flood, and nothing after it is lost', async () => {
    await window.type('yes flood-of-text')
    await window.shows(/(flood-of-text\s+){10}/)
    await press('Control+c')
    await window.type('echo after-$((40 + 6))')
    await window.shows(/after-46/)
    await clear()
  })

  test('keeps the keys that programs need', async () => {
    await window.type('cat -v')
    await input().focus()
    for (const keys of ['Control+l', 'Escape', 'Control+a', 'Alt+b', 'F1', 'Control+n']) await press(keys)
    await press('Enter')
    await window.shows(/\^L\^\[\^A\^\[b\^\[OP\^N/)
    await press('Control+c')
    await clear()
  })

  test('tells a program of the mouse in bytes, in the last columns of a wide window too', async () => {
    await window.type(String.raw`stty -icanon -echo; printf '\033[?9hmou''se-on'; head -c 6 | od -An -tx1 | tr -d ' \n'; printf '\033[?9l'; stty sane; echo`)
    await window.shows(/mouse-on/)
    const box = await window.page.locator('.xterm-screen').filter({ visible: true }).boundingBox()
    await window.page.mouse.click(box!.x + box!.width - 5, box!.y + 5)
    // Column 96 and more, plus 32, is no ASCII.
    await window.shows(/1b5b4d20[89a-f][0-9a-f]21/)
    await clear()
  })
})

describe('the search', () => {
  test('finds what was printed, counts it, and gives the keys back', async () => {
    await window.type('for word in needle hay needle; do echo "a $word here"; done')
    await input().focus()
    await press('Control+Shift+F')
    const search = window.page.getByRole('search')
    await search.getByRole('textbox').fill('a needle here')
    await search.getByText('2 of 2').waitFor()
    await press('Enter')
    await search.getByText('1 of 2').waitFor()
    await search.getByRole('textbox').fill('no such words')
    await search.getByText('Not found').waitFor()
    await press('Escape')
    await search.waitFor({ state: 'detached' })
    await window.type('echo back-$((40 + 7))')
    await window.shows(/back-47/)
  })
})

describe('a link that a program prints', () => {
  const opened = () => window.app.evaluate(() => (globalThis as unknown as { opened: string[] }).opened)

  beforeAll(() =>
    window.app.evaluate(({ shell }) => {
      const list: string[] = []
      Object.assign(globalThis, { opened: list })
      shell.openExternal = async (url) => void list.push(url)
    }),
  )

  test.each([
    ['in its text', `printf 'see https://example.org/%s now\\n' path`, 'https://example.org/path', 'https://example.org/path'],
    ['behind words', String.raw`printf '\033]8;;https://example.org/behind\033\\%s\033]8;;\033\\\n' "click"me`, 'clickme', 'https://example.org/behind'],
  ])('%s is opened outside only after a yes', async (_where, command, shown, url) => {
    await clear()
    await window.type(command)
    await window.shows(new RegExp(`^.*${shown}`, 'm'))
    const { x, y } = await placeOf(shown)
    const click = async () => {
      await window.page.mouse.move(x, y + 200)
      await window.page.mouse.move(x, y, { steps: 4 })
      await window.page.mouse.click(x, y)
    }
    const before = (await opened()).length
    const asked = window.page.getByRole('alertdialog', { name: 'Open an address outside' })
    await click()
    await asked.getByText(url).waitFor()
    await asked.getByRole('button', { name: 'Do not open' }).click()
    expect(await opened()).toHaveLength(before)
    await click()
    await asked.getByRole('button', { name: 'Open', exact: true }).click()
    await until('it is opened', async () => (await opened()).length > before)
    expect((await opened()).at(-1)).toBe(url)
  })
})

describe('the clipboard', () => {
  test('Ctrl+Shift+V pastes, and a shell that knows pasted text from typed text is handed several lines', async () => {
    await clear()
    await writeClipboard('echo pasted-$((40 + 8))\necho second-$((40 + 9))')
    await input().focus()
    await press('Control+Shift+V')
    await window.shows(/echo second/)
    await press('Enter')
    await window.shows(/pasted-48[\s\S]*second-49/)
  })

  test('several lines are shown and asked about where each would run at once', async () => {
    await window.type("bind 'set enable-bracketed-paste off'; echo set-$((40 + 9))")
    await window.shows(/set-49\s+ai@/)
    await writeClipboard('echo risky-$((50 + 1))\necho risky-$((50 + 2))\n')
    await input().focus()
    await press('Control+Shift+V')
    const asked = window.page.getByRole('alertdialog', { name: 'Paste 2 lines' })
    await asked.getByText('echo risky-$((50 + 2))').waitFor()
    await asked.getByRole('button', { name: 'Do not paste' }).click()
    await window.type('echo nothing-$((50 + 3))')
    expect(await window.shows(/[\s\S]*nothing-53/)).not.toMatch(/risky-5[12]/)
    await press('Control+Shift+V')
    await asked.getByRole('button', { name: 'Paste', exact: true }).click()
    await window.shows(/risky-51[\s\S]*risky-52/)
    await window.type("bind 'set enable-bracketed-paste on'")
  })

  test('Ctrl+Shift+C copies what is selected, and selecting alone does where that is set', async () => {
    await clear()
    await window.type('echo copy"me"')
    await window.shows(/^copyme/m)
    await writeClipboard('before')
    const { x, y } = await placeOf('copyme')
    await window.page.mouse.dblclick(x + 4, y)
    expect(await readClipboard()).toBe('before')
    await press('Control+Shift+C')
    await until('it is copied', async () => (await readClipboard()) === 'copyme')
    await writeClipboard('before')
    await window.call('settings.set', { copyOnSelect: true })
    await window.page.mouse.click(x + 200, y + 60)
    await window.page.mouse.dblclick(x + 4, y)
    await until('it is copied by selecting', async () => (await readClipboard()) === 'copyme')
    await window.call('settings.set', { copyOnSelect: false })
  })

  test('a program may set it while the person is there, and never reads it', async () => {
    await writeClipboard('secret')
    await window.type(String.raw`printf '\033]52;c;?\007'; read -rs -t 1 answer; echo "answer=[$answer]"`)
    await window.shows(/answer=\[\]/)
    await window.type(String.raw`printf '\033]52;c;%s\007' "$(printf fromprogram | base64)"`)
    await until('it is set', async () => (await readClipboard()) === 'fromprogram')
  })
})

describe('the font size', () => {
  test('follows the setting at once, and the shell hears of the new size', async () => {
    const columns = async () => {
      await clear()
      await window.type('echo columns=$(stty size | cut -d" " -f2)')
      return Number((await window.shows(/columns=\d+/)).slice('columns='.length))
    }
    const before = await columns()
    await window.call('settings.set', { terminalFontSize: 26 })
    await until('there are fewer columns', async () => (await columns()) < before * 0.6)
    await window.call('settings.set', { terminalFontSize: 13 })
  })
})
