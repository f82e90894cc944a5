import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGuest } from './fixtures/guest.ts'
import { answerDialogs, type DropPlace, dropFiles } from './fixtures/system-dialog.ts'
import { launch, openWindow, type WindowApp, writeSettings } from './fixtures/window-app.ts'
import { createWorld, until, type World } from './harness.ts'

let world: World
let window: WindowApp
let project: string
let host: string
let id: string

const manyEntries = 10_000
const hostileNames = ['<img src=x onerror="document.title=1">', 'two\nlines', 'red \u001b[31m', 'invoice\u202efdp.exe']
const blob = randomBytes(1_500_000)

beforeAll(async () => {
  world = createWorld('window-panels')
  writeSettings(world)
  const built = await world.paddock(['build', 'minimal'])
  expect(built.code, built.stderr).toBe(0)
  host = join(world.folder, 'host')
  mkdirSync(host)
  project = world.project('panels')
  const at = (...names: string[]) => join(project, ...names)
  mkdirSync(at('src/deep'), { recursive: true })
  mkdirSync(at('many'))
  mkdirSync(at('hostile'))
  writeFileSync(at('notes.txt'), 'first line\n<b>second</b>\u001b[31m\u202e\n')
  writeFileSync(at('.env'), 'KEY=1\n')
  writeFileSync(at('src/deep/x.ts'), 'export {}\n')
  writeFileSync(at('blob.bin'), blob)
  for (let number = 0; number < manyEntries; number++) writeFileSync(at('many', `f${number}`), '')
  for (const name of hostileNames) writeFileSync(at('hostile', name), 'x')
  symlinkSync('/etc/passwd', at('hostile/passwd'))
  symlinkSync('../src', at('hostile/inside'))
  window = await openWindow(world)
  await launch(window, project)
  id = (await world.ls())[0]!.id
})
afterAll(async () => {
  await window?.kill()
  await world?.dispose()
})

const panel = (name: 'Files' | 'Ports' | 'MCP clients') => window.page.getByRole('complementary', { name: new RegExp(`^${name} of panels`) })
const row = (name: string | RegExp) => panel('Files').getByRole('listitem').filter({ has: window.page.getByRole('button', { name: typeof name === 'string' ? new RegExp(`^${name}\\b`) : name }) })
const openRow = (name: string | RegExp) => row(name).getByRole('button').first().click()
async function openFiles(): Promise<void> {
  if ((await panel('Files').count()) === 0) await window.screen.getByRole('button', { name: 'Files', exact: true }).click()
  await panel('Files').waitFor()
}
const toProject = async () => {
  await panel('Files').getByRole('navigation', { name: 'Way to this folder' }).getByRole('button').first().click()
  await window.page.getByRole('menuitem', { name: 'panels', exact: true }).click()
  await row('notes').waitFor()
}
/** The middle of the panel that is open. */
async function overPanel(says: string): Promise<DropPlace> {
  const { x, y, width, height } = (await panel('Files').boundingBox())!
  return { at: () => ({ x: x + width / 2, y: y + height / 2 }), says }
}
const copies = () => panel('Files').getByRole('region', { name: 'Copies' })
const dismissCopies = async () => {
  for (let left = await copies().getByRole('button', { name: 'Dismiss' }).count(); left > 0; left--) await copies().getByRole('button', { name: 'Dismiss' }).first().click()
  await copies().waitFor({ state: 'detached' })
}

describe('the files panel', () => {
  test('goes through the project by keyboard, and hides what is hidden until asked', async () => {
    await openFiles()
    await row('src').waitFor()
    expect(await row('.env').count()).toBe(0)
    await panel('Files').getByRole('button', { name: /^Show \d+ hidden/ }).click()
    await row(/^\.env/).waitFor()
    await row('src').getByRole('button').first().focus()
    await window.page.keyboard.press('Enter')
    await row('deep').waitFor()
    await window.page.keyboard.press('Enter')
    await row('x').waitFor()
    await window.page.keyboard.press('Backspace')
    await row('deep').waitFor()
    await window.page.keyboard.press('Backspace')
    await until('the focus is where it was', async () => /^src/.test(String(await window.page.evaluate('document.activeElement.textContent'))))
  })

  test('shows a text as text, whatever is in it, and Esc leaves', async () => {
    await openRow('notes')
    const text = panel('Files').getByLabel('Text of notes.txt')
    await text.waitFor()
    expect(await text.innerText()).toBe('first line\n<b>second</b>\\x1b[31m\\u202e\n')
    expect(await text.locator('b').count()).toBe(0)
    await window.page.keyboard.press('Escape')
    await panel('Files').waitFor({ state: 'detached' })
    await openFiles()
    await text.waitFor()
    await toProject()
    await openRow('blob')
    await panel('Files').getByText('This is no text in UTF-8.').waitFor()
    await toProject()
  })

  test('shows hostile names harmlessly, and follows no link that leads out', async () => {
    const title = await window.page.title()
    await openRow('hostile')
    await row('passwd').waitFor()
    for (const name of ['<img src=x onerror="document.title=1">', 'two\\x0alines', 'red \\x1b[31m', 'invoice\\u202efdp.exe']) await panel('Files').getByText(name, { exact: true }).waitFor()
    expect(await panel('Files').locator('img').count()).toBe(0)
    expect(await window.page.title()).toBe(title)
    await openRow(/^<img/)
    await panel('Files').getByText('x', { exact: true }).waitFor()
    await window.page.keyboard.press('Backspace')
    await openRow('passwd')
    await panel('Files').getByText('This link leads to /etc/passwd, outside of the project.').waitFor()
    await window.page.keyboard.press('Backspace')
    await openRow('inside')
    await row('deep').waitFor()
    await toProject()
  })

  test(`lists ${manyEntries} entries, draws only those in sight and goes to the last at once`, async () => {
    await openRow('many')
    await row(/^f0\b/).waitFor()
    expect(await panel('Files').getByRole('listitem').count()).toBeLessThan(80)
    await row(/^f0\b/).getByRole('button').first().focus()
    const began = Date.now()
    await window.page.keyboard.press('End')
    await row(`f${manyEntries - 1}`).waitFor()
    expect(Date.now() - began).toBeLessThan(10_000)
    await window.page.keyboard.type('f777')
    await until('the filter', async () => (await panel('Files').getByRole('listitem').count()) === 11)
    await toProject()
  })

  test('saves a file with the same bytes, and a folder beside one of its name', async () => {
    await answerDialogs(window, join(host, 'saved.bin'))
    await row('blob').getByRole('button', { name: 'Save blob.bin on this machine' }).click({ force: true })
    await copies().getByText('Saved blob.bin.').waitFor()
    expect(readFileSync(join(host, 'saved.bin')).equals(blob)).toBe(true)
    mkdirSync(join(host, 'src'))
    await answerDialogs(window, host)
    await row('src').getByRole('button', { name: 'Save src on this machine' }).click({ force: true })
    await copies().getByText('Saved src.').waitFor()
    expect(readFileSync(join(host, 'src (2)/deep/x.ts'), 'utf8')).toBe('export {}\n')
    expect(readdirSync(join(host, 'src'))).toEqual([])
    await dismissCopies()
  })

  test('takes a folder that is dropped on it, asks before it copies over it, and names what it leaves out', async () => {
    const dropped = join(host, 'dropped')
    mkdirSync(join(dropped, 'inner'), { recursive: true })
    writeFileSync(join(dropped, 'inner/blob'), blob)
    symlinkSync('/etc/hostname', join(dropped, 'out'))
    await dropFiles(window, [dropped], await overPanel('Copy into the project'))
    await copies().getByText('Copied in dropped.').waitFor()
    expect(readFileSync(join(project, 'dropped/inner/blob')).equals(blob)).toBe(true)
    expect(existsSync(join(project, 'dropped/out'))).toBe(false)
    await copies().getByText('1 left out').click()
    await copies().getByText('it is a link that leads out of what is copied').waitFor()
    await row('dropped').waitFor()
    await dismissCopies()

    writeFileSync(join(dropped, 'inner/blob'), 'newer')
    await dropFiles(window, [dropped], await overPanel('Copy into the project'))
    const question = copies().getByRole('group', { name: /dropped is there already/ })
    await question.getByRole('button', { name: 'Keep what is there' }).click()
    expect(readFileSync(join(project, 'dropped/inner/blob')).equals(blob)).toBe(true)
    await dropFiles(window, [dropped], await overPanel('Copy into the project'))
    await question.getByRole('button', { name: 'Copy over' }).click()
    await copies().getByText('Copied in dropped.').waitFor()
    expect(readFileSync(join(project, 'dropped/inner/blob'), 'utf8')).toBe('newer')
    expect((await world.ls()).length, 'no project was opened by the drop').toBe(1)
    await dismissCopies()
  })

  test('calls off a copy, and leaves nothing of it', async () => {
    const large = join(host, 'large')
    writeFileSync(large, '')
    truncateSync(large, 4 * 1024 ** 3)
    await answerDialogs(window, large)
    await panel('Files').getByRole('button', { name: 'Copy files into this folder' }).click()
    await window.page.getByRole('menuitem', { name: 'Add files…' }).click()
    await copies().getByText(/^1 file, \d+ MiB/).waitFor()
    await copies().getByRole('button', { name: 'Cancel' }).click()
    await copies().getByText('large: cancelled.').waitFor()
    expect(readdirSync(project).filter((name) => name === 'large' || name.endsWith('.part'))).toEqual([])
    await dismissCopies()
  })

  test('shows the home, too', async () => {
    await panel('Files').getByRole('navigation', { name: 'Way to this folder' }).getByRole('button').first().click()
    await window.page.getByRole('menuitem', { name: 'Home' }).click()
    await row('sandbox').waitFor()
    await toProject()
  })
})

describe('the MCP panel', () => {
  const mcp = () => panel('MCP clients')
  const call = (words: string | RegExp) => mcp().getByRole('listitem').filter({ hasText: words })

  test('teaches how to add it, for this very project, in files of the person’s own', async () => {
    await panel('Files').getByRole('button', { name: 'MCP', exact: true }).click()
    await mcp().getByText('No MCP client has come yet.').waitFor()
    expect(await mcp().locator('code').filter({ visible: true }).innerText()).toMatch(new RegExp(`^cd ${project} && claude mcp add paddock -- .*/node .*/paddock\\.cjs mcp --project ${project}$`))
    await mcp().getByText('Cursor', { exact: true }).click()
    await mcp().getByText('~/.cursor/mcp.json').waitFor()
  })

  test('its text connects the official client, which is seen with its calls, and gone when it is', async () => {
    const { mcpServers } = JSON.parse(await mcp().locator('code').filter({ hasText: 'mcpServers' }).filter({ visible: true }).innerText()) as { mcpServers: Record<string, { command: string; args: string[] }> }
    const { command, args } = Object.values(mcpServers)[0]!
    const env = Object.fromEntries(Object.entries({ ...process.env, ...world.env }).filter((pair): pair is [string, string] => pair[1] !== undefined))
    const transport = new StdioClientTransport({ command, args, env, stderr: 'ignore' })
    const client = new Client({ name: 'e2e <b>client</b>', version: '7.1' })
    await client.connect(transport)
    await mcp().getByText('e2e <b>client</b> 7.1').waitFor()
    await mcp().getByText(/^stdio · \d+ s$/).waitFor()
    const ask = (name: string, input: Record<string, unknown>) => client.callTool({ name, arguments: input })
    await ask('write_workspace_file', { path: 'by-mcp.txt', content: 'hunter2 in a file' })
    await call(/^write.*by-mcp\.txt.*done/s).waitFor()
    await ask('read_workspace_file', { path: '<img src=x onerror="document.title=1">\n\u001b[31m' })
    await call(/<img src=x onerror="document.title=1">\\x0a\\x1b\[31m.*failed/s).waitFor()
    const running = ask('run_workspace_command', { command: 'sleep 2; echo hunter2' })
    await call(/^run.*sleep.*running/s).waitFor()
    await running
    await call(/^run.*sleep.*done/s).waitFor()
    expect(await mcp().innerText()).not.toContain('hunter2')
    expect(await mcp().locator('img, b').count()).toBe(0)
    const journals = readdirSync(join(world.folder, 'state/paddock/mcp'))
    expect(journals.map((name) => readFileSync(join(world.folder, 'state/paddock/mcp', name), 'utf8')).join('')).not.toContain('hunter2')

    process.kill(transport.pid!, 'SIGKILL')
    await mcp().getByText('Nobody is connected now.').waitFor()
    await call(/by-mcp\.txt/).waitFor()
    await client.close()
    await mcp().getByRole('button', { name: 'Files', exact: true }).click()
    await row('by-mcp').waitFor()
  })
})

describe('the ports panel', () => {
  const serve = (port: number) =>
    `use IO::Socket; my $s = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1", LocalPort => ${port}, ReuseAddr => 1) or die; while (my $c = $s->accept) { my $l = <$c>; print $c "HTTP/1.0 200 OK\\r\\ncontent-type: text/plain\\r\\n\\r\\nserved inside"; close $c }`
  const item = (port: number) => panel('Ports').getByRole('listitem', { name: `Port ${port}`, exact: true })
  const addressOf = async (port: number) => (await item(port).innerText()).match(/http:\/\/127\.0\.0\.1:\d+/)![0]

  test('leads to what listens inside, asks before it opens a browser, and stops', async () => {
    await panel('Files').getByRole('button', { name: 'Ports', exact: true }).click()
    await panel('Ports').getByText('Nothing listens in this sandbox.').waitFor()
    const guest = await openGuest(world, id)
    const server = await guest.exec(['perl', '-e', serve(7311)])
    server.stdout.resume()
    await item(7311).getByText(/^perl -e use IO::Socket/).waitFor()
    await item(7311).getByRole('button', { name: 'Forward port 7311' }).click()
    await item(7311).getByText(/127\.0\.0\.1:\d+$/).waitFor()
    const address = await addressOf(7311)
    expect(await (await fetch(address)).text()).toBe('served inside')

    await window.app.evaluate(({ shell }) => {
      shell.openExternal = async (url) => void Object.assign(globalThis, { opened: url })
    })
    await item(7311).getByRole('button', { name: `Open ${address}` }).click()
    const asked = panel('Ports').getByRole('alertdialog')
    await asked.getByText(`${address}/`).waitFor()
    expect(await window.app.evaluate(() => 'opened' in globalThis)).toBe(false)
    await asked.getByRole('button', { name: 'Open', exact: true }).click()
    await until('it is opened', () => window.app.evaluate((_electron, url) => (globalThis as { opened?: string }).opened === url, `${address}/`))

    await window.page.reload()
    await window.screen.getByRole('tab', { name: /panels/ }).click()
    await window.screen.getByRole('button', { name: 'Ports', exact: true }).click()
    await item(7311).getByText(address).waitFor()
    await item(7311).getByRole('button', { name: 'Stop forwarding port 7311' }).click()
    await item(7311).getByRole('button', { name: 'Forward port 7311' }).waitFor()
    await expect(fetch(address)).rejects.toThrow()
    await server.end()
    guest.close()
    await item(7311).waitFor({ state: 'detached' })
  })

  test('a forward ends with its sandbox, and the panels say that it has ended', async () => {
    const guest = await openGuest(world, id)
    const server = await guest.exec(['perl', '-e', serve(7312)])
    server.stdout.resume()
    await item(7312).getByRole('button', { name: 'Forward port 7312' }).click()
    await item(7312).getByText(/127\.0\.0\.1:\d+$/).waitFor()
    const address = await addressOf(7312)
    expect((await fetch(address)).status).toBe(200)
    expect((await world.paddock(['stop', id.slice(0, 12)])).code).toBe(0)
    await panel('Ports').getByText('This sandbox has ended.').waitFor()
    await until('the port is closed', () => fetch(address).then(() => false, () => true))
    guest.close()
  })
})
