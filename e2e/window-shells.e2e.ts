import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, openWindow, type WindowApp, writeSettings } from './fixtures/window-app.ts'
import { createWorld, podmanPath, until, type World } from './harness.ts'
import { openTerminal, type Terminal } from './terminal.ts'

// Further shells in a sandbox: tabs, panes, what they survive and what they do not. One sandbox for all, in this order.
let world: World
let window: WindowApp
let id: string
const plain: Terminal[] = []

beforeAll(async () => {
  world = createWorld('window-shells')
  writeSettings(world)
  const { code, stderr } = await world.paddock(['build', 'minimal'])
  expect(code, stderr).toBe(0)
  window = await openWindow(world)
  await launch(window, world.project('shells'))
  id = (await world.ls())[0]!.id
})
afterAll(async () => {
  plain.forEach((terminal) => terminal.kill('SIGKILL'))
  await window?.kill()
  await world.dispose()
})

const press = (keys: string) => window.page.keyboard.press(keys)
/** A terminal by its name: "Terminal" is the sandbox's own. */
const pane = (name: string) => window.page.getByRole('group', { name, exact: true }).filter({ visible: true })
const focus = (name: string) => pane(name).getByRole('textbox', { name: 'Terminal input' }).focus()
const hasKeys = (name: string) => until(`${name} has the keys`, () => pane(name).evaluate((box) => box.contains(box.ownerDocument.activeElement)))
async function type(name: string, line: string) {
  await focus(name)
  await window.page.keyboard.type(`${line}\n`)
}
async function shows(name: string, pattern: RegExp): Promise<string> {
  let seen = ''
  return until(`${name} shows ${pattern}`, async () => pattern.exec((seen = await pane(name).locator('.xterm-accessibility').innerText()))?.[0]).catch((error: Error) => {
    throw new Error(`${error.message}; it shows:\n${seen}`)
  })
}
const tabs = () => window.page.getByRole('tablist', { name: 'Terminals' }).getByRole('tab')
const tabNames = async () => (await tabs().allInnerTexts()).map((text) => text.trim())
/** Rows and columns as the kernel of the guest has them. */
async function sizeOf(name: string): Promise<{ rows: number; cols: number }> {
  const mark = `size-${Math.random().toString(36).slice(2, 8)}`
  await type(name, `clear; echo ${mark.slice(0, 5)}''${mark.slice(5)}=$(stty size)`)
  const [rows, cols] = (await shows(name, new RegExp(`${mark}=\\d+ \\d+`))).split('=')[1]!.split(' ').map(Number)
  return { rows: rows!, cols: cols! }
}
const rowsOnScreen = (name: string) => pane(name).locator('.xterm-accessibility-tree > *').count()

describe('a page', () => {
  test.each([
    ['an option', '--latest'],
    ['the beginning of an id', () => id.slice(0, 12)],
    ['no id', ''],
  ])('that names %s gets no shell', async (_what, name) => {
    expect(await window.call('shell.open', { id: typeof name === 'string' ? name : name() })).toMatchObject({ ok: false, error: { code: 'usage' } })
  })

  test('that names a container which is none of Paddock’s gets no shell', async () => {
    expect(await window.call('shell.open', { id: 'f'.repeat(64) })).toMatchObject({ ok: false, error: { code: 'sandbox-unknown' } })
  })

  test('gets sixteen in a sandbox and then a clear no', async () => {
    const opened: string[] = []
    for (let count = 0; count < 16; count++) {
      const reply = (await window.call('shell.open', { id })) as { ok: true; value: { terminalId: string } }
      opened.push(reply.value.terminalId)
    }
    expect(await window.call('shell.open', { id })).toMatchObject({ ok: false, error: { code: 'usage', message: 'This sandbox has 16 further shells, and more are not opened.' } })
    for (const terminalId of opened) expect(await window.call('shell.close', { terminalId, force: true })).toEqual({ ok: true, value: { running: null } })
    expect(await window.call('shell.list', { id })).toEqual({ ok: true, value: { shells: [], layout: null } })
  })
})

describe('shells', () => {
  test('open as tabs and panes by their keys, in the project', async () => {
    expect(await tabs().count()).toBe(0)
    await press('Control+Shift+T')
    await hasKeys('Shell 1')
    await window.page.keyboard.type('pwd; id -un; echo $((40 + 2))\n')
    await shows('Shell 1', /\/home\/ai\/sandbox\s+ai\s+42/)
    await press('Control+Shift+D')
    await hasKeys('Shell 2')
    await press('Control+Shift+S')
    await hasKeys('Shell 3')
    await press('Control+k')
    await window.page.getByRole('combobox').last().fill('new shell')
    await press('Enter')
    await hasKeys('Shell 4')
    await press('F6')
    await press('Shift+F6')
    await hasKeys('Shell 4')
    expect(await tabNames()).toEqual(['Terminal', 'Shell 1, Shell 2, Shell 3', 'Shell 4'])
  })

  test('have each a size of its own, which follows the window', async () => {
    const sizes: Record<string, { rows: number; cols: number }> = { four: await sizeOf('Shell 4') }
    await press('Control+Shift+PageUp')
    await hasKeys('Shell 3')
    for (const name of ['Shell 1', 'Shell 2', 'Shell 3']) {
      sizes[name] = await sizeOf(name)
      expect(sizes[name].rows).toBe(await rowsOnScreen(name))
    }
    const { four, 'Shell 1': one, 'Shell 2': two, 'Shell 3': three } = sizes as Record<string, { rows: number; cols: number }>
    expect(Math.abs(one!.cols - four!.cols / 2)).toBeLessThan(4)
    expect(two!.cols).toBe(three!.cols)
    expect(four!.rows - one!.rows).toBeGreaterThan(0)
    expect(Math.abs(two!.rows - one!.rows / 2)).toBeLessThan(4)
    await window.app.evaluate(({ BrowserWindow }) => {
      const [width, height] = BrowserWindow.getAllWindows()[0]!.getContentSize()
      BrowserWindow.getAllWindows()[0]!.setContentSize(width! - 120, height! - 60)
    })
    await until('the shell hears of it', async () => (await sizeOf('Shell 1')).rows < one!.rows)
  })

  test('answer while another one floods, and Ctrl-C ends the flood at once', async () => {
    const rssMib = () => window.app.evaluate(() => process.memoryUsage().rss / 1024 ** 2)
    await type('Shell 1', 'clear; yes flood-of-text')
    await shows('Shell 1', /(flood-of-text\s+){10}/)
    const before = await rssMib()
    await type('Shell 2', 'clear; echo meanwhile-$((40 + 3))')
    await shows('Shell 2', /meanwhile-43/)
    await shows('Shell 1', /(flood-of-text\s+){10}/)
    expect(await rssMib() - before).toBeLessThan(80)
    await focus('Shell 1')
    const pressed = Date.now()
    await press('Control+c')
    // A new prompt: the last one is far above by now. What the kernel had of the flood may come between it and the ^C.
    await shows('Shell 1', /ai@\S+\$/)
    expect(Date.now() - pressed).toBeLessThan(10_000)
    await type('Shell 1', 'clear; echo after-$((40 + 4))')
    await shows('Shell 1', /after-44/)
  })

  test('are found again by a page that is loaded anew, with their screens and where they were', async () => {
    await type('Shell 2', 'kept=two; clear; echo before-$((40 + 5))')
    await shows('Shell 2', /before-45/)
    await window.page.reload()
    await window.screen.getByRole('tab', { name: 'shells' }).click()
    await hasKeys('Shell 2')
    expect(await tabNames()).toEqual(['Terminal', 'Shell 1, Shell 2, Shell 3', 'Shell 4'])
    await shows('Shell 2', /before-45/)
    await shows('Shell 1', /after-44/)
    await type('Shell 2', 'echo $kept-$((40 + 6))')
    await shows('Shell 2', /two-46/)
  })

  test('end alone: by exit, by their button, and by the key, after a question where something runs', async () => {
    await type('Shell 3', 'exit')
    await until('it is gone', async () => (await pane('Shell 3').count()) === 0)
    await window.page.getByRole('button', { name: 'Close Shell 2' }).click()
    await until('it is gone', async () => (await pane('Shell 2').count()) === 0)
    expect(await tabNames()).toEqual(['Terminal', 'Shell 1', 'Shell 4'])
    await type('Shell 1', 'clear; echo sleeps-$((40 + 14)); sleep 4321')
    await shows('Shell 1', /sleeps-54/)
    const question = window.page.getByRole('group', { name: 'sleep runs in this shell and would end. Close it?' })
    await until('it is asked about', async () => {
      await press('Control+Shift+W')
      return (await question.count()) > 0
    })
    await press('Escape')
    await hasKeys('Shell 1')
    await press('Control+Shift+W')
    await question.getByRole('button', { name: 'Close', exact: true }).click()
    await until('it is gone', async () => (await tabs().count()) === 2)
    await hasKeys('Shell 4')
    await window.page.keyboard.type("cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -c 'sleep 432[1]'\n")
    await shows('Shell 4', /^0\s*$/m)
  })

  test('that are over leave the plain view, with the keys in the sandbox’s own terminal', async () => {
    await press('Control+Shift+W')
    await hasKeys('Terminal')
    expect(await tabs().count()).toBe(0)
    await press('Control+Shift+W')
    await type('Terminal', 'clear; echo own-$((40 + 7))')
    await shows('Terminal', /own-47/)
  })
})

describe('a sandbox without a guest channel', () => {
  test('says why where the shell would be, and what to do', async () => {
    const { value: command } = (await window.call('sandbox.command', { id })) as { value: string }
    const terminal = openTerminal(['/bin/sh', '-c', command.replace(/^podman/, `'${podmanPath}'`).replaceAll('projects/shells', 'projects/plain')], world.env, world.project('plain'))
    plain.push(terminal)
    await terminal.expect(/\$ /)
    await window.screen.getByRole('tab', { name: 'plain' }).click()
    await type('Terminal', 'echo here-$((40 + 8))')
    await shows('Terminal', /here-48/)
    await press('Control+Shift+D')
    await window.screen.getByText('it was started by plain Podman, without the keys of a guest channel. Launch the project from Paddock').waitFor()
    await window.screen.getByRole('button', { name: 'Close', exact: true }).click()
    await hasKeys('Terminal')
  })
})

describe('a connection that breaks', () => {
  /** Ends the guest's sshd from inside: `ai@` is in the name of a login's own process, the one that listens goes on. */
  const endSshd = async (word: string) => {
    await type('Terminal', `clear; for p in /proc/[0-9]*; do case $(tr '\\0' ' ' <$p/cmdline) in *sshd*${word}*) kill -9 \${p#/proc/};; esac; done; echo killed-$((40 + 10))`)
    await shows('Terminal', /killed-50/)
  }

  test('ends the shells, which say so, and nothing else', async () => {
    await window.screen.getByRole('tab', { name: 'shells' }).click()
    await press('Control+Shift+D')
    await hasKeys('Shell 1')
    await window.page.keyboard.type('echo last-$((40 + 9))\n')
    await shows('Shell 1', /last-49/)
    await endSshd('ai@')
    await window.screen.getByText('This shell ended: the connection to it broke.').waitFor()
    await shows('Shell 1', /last-49/)
    await type('Terminal', 'clear; echo still-$((40 + 11))')
    await shows('Terminal', /still-51/)
  })

  test('is made anew for the next shell, or says why it cannot be', async () => {
    const again = window.screen.getByRole('button', { name: 'New shell' }).last()
    await again.click()
    await hasKeys('Shell 1')
    await window.page.keyboard.type('echo anew-$((40 + 12))\n')
    await shows('Shell 1', /anew-52/)
    await endSshd('')
    await window.screen.getByText('This shell ended: the connection to it broke.').waitFor()
    await again.click()
    await window.screen.getByText('No further shell can be opened here').waitFor()
    await window.screen.getByRole('button', { name: 'Close', exact: true }).click()
    await hasKeys('Terminal')
  })
})
