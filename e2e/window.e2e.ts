import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launch, launchButton, openProject, openWindow, type WindowApp, writeSettings } from './fixtures/window-app.ts'
import { containersOf, createWorld, onMinimal, podmanPath, until, type World } from './harness.ts'

let world: World
let window: WindowApp

beforeAll(async () => {
  world = createWorld('window')
  writeSettings(world)
  world.profile('e2e-fails', onMinimal(undefined, ['RUN echo what it said first', 'RUN echo then it failed >&2; exit 3']))
  world.profile('e2e-edited', onMinimal(undefined, ['RUN echo one > /tmp/one']))
  world.profile('e2e-mount', onMinimal((label) => label.replace(/podman run/, 'podman run --volume /no/such/folder:/mnt')))
  world.profile('e2e-entry', onMinimal((label) => label.replace(/podman run/, 'podman run --entrypoint /no/such/program')))
  world.profile('e2e-plain', onMinimal((label) => label.replace(/ --runtime[= ]krun/, '')))
  const built = await world.paddock(['build', 'e2e-plain'])
  expect(built.code, built.stderr).toBe(0)
  window = await openWindow(world)
})
afterAll(async () => {
  await window?.kill()
  await world.dispose()
})

const closeTab = async () => {
  await window.type('exit')
  await window.screen.getByText(/Ended with exit code/).waitFor()
  await window.screen.getByRole('button', { name: 'Close', exact: true }).click()
}

describe('a first start', () => {
  test('says what to do when there is no project, and what profiles there are', async () => {
    await window.screen.getByRole('heading', { name: 'Open a project folder' }).waitFor()
    const side = window.page.getByRole('navigation')
    await side.getByText('e2e-edited').waitFor()
    expect(await side.getByRole('listitem').filter({ hasText: 'e2e-edited' }).innerText()).toContain('missing')
    expect(await window.page.title()).toBe('Paddock')
  })
})

describe('a launch', () => {
  test('on a folder whose name has spaces and an umlaut gives a terminal that takes commands', async () => {
    const folder = world.project('Über den Wolken')
    await launch(window, folder)
    await window.type('pwd; touch "gemacht in der Sandbox"; printf "%d \\303\\274 \\346\\227\\245 \\360\\237\\221\\215\\n" $((6 * 7))')
    await window.shows(/42 ü 日 👍/)
    await until('the file', () => existsSync(join(folder, 'gemacht in der Sandbox')))
    await window.screen.getByRole('tab', { name: /Über den Wolken/ }).waitFor()
    await window.screen.getByRole('button', { name: /^container/ }).first().waitFor()
  })

  test('a second one runs beside it, and each tab keeps its own terminal', async () => {
    await launch(window, world.project('second'))
    await window.type('echo I am the $((1 + 1))nd')
    await window.shows(/I am the 2nd/)
    await window.screen.getByRole('tab', { name: /Über den Wolken/ }).click()
    await window.shows(/42 ü/)
    await window.type('hostname; echo still-$((40 + 1))')
    await window.shows(/still-41/)
    expect((await world.ls()).filter(({ state }) => state === 'running')).toHaveLength(2)
  })

  test('its size is the terminal’s', async () => {
    await window.type('clear; stty size')
    const [rows, columns] = (await window.shows(/\d+ \d+/)).split(' ').map(Number)
    expect(rows).toBeGreaterThan(20)
    expect(columns).toBeGreaterThan(80)
  })

  test('what ends says how, and its tab can be closed', async () => {
    await window.type('exit 3')
    await window.screen.getByText('Ended with exit code 3').waitFor()
    await window.screen.getByRole('button', { name: 'Close', exact: true }).click()
    await window.screen.getByRole('tab', { name: /Über den Wolken/ }).waitFor({ state: 'detached' })
  })

  test('stop asks, and then stops', async () => {
    await window.screen.getByRole('tab', { name: /second/ }).click()
    await window.screen.getByRole('button', { name: 'Stop the sandbox' }).filter({ visible: true }).click()
    await window.screen.getByRole('button', { name: 'Stop', exact: true }).filter({ visible: true }).click()
    await window.screen.getByText(/Ended with exit code/).waitFor()
    expect(await world.ls()).toEqual([])
    expect(readdirSync(world.launchesFolder)).toEqual([])
    await window.screen.getByRole('button', { name: 'Close', exact: true }).click()
  })
})

describe('a build', () => {
  test('that fails keeps its log and says why', async () => {
    await openProject(window, world.project('fails'), 'e2e-fails')
    await launchButton(window).click()
    await window.screen.getByRole('heading', { name: 'The launch failed' }).waitFor()
    const log = await window.screen.getByLabel('Build log').innerText()
    expect(log).toContain('what it said first')
    expect(log).toContain('then it failed')
    await window.screen.getByRole('alert').waitFor()
    await window.screen.getByRole('button', { name: 'Try again' }).waitFor()
    expect(await containersOf(world)).toEqual([])
  })

  test('runs in place when the image is missing, and again when it is stale after an edit', async () => {
    const folder = world.project('edited')
    await openProject(window, folder, 'e2e-edited')
    await launchButton(window).click()
    await window.shows(/\$ /)
    await closeTab()
    appendFileSync(join(world.profilesFolder, 'e2e-edited/Containerfile'), 'RUN echo two > /tmp/two\n')
    // The window looks at the profiles again when it gets the focus.
    for (const event of ['blur', 'focus']) await window.app.evaluate(({ BrowserWindow }, name) => BrowserWindow.getAllWindows()[0]!.emit(name), event)
    await window.page.getByRole('navigation').getByRole('listitem').filter({ hasText: /e2e-edited.*stale/s }).waitFor()
    await window.screen.getByText(/Containerfile/).first().waitFor()
    await launchButton(window).click()
    await window.shows(/\$ /)
    await window.type('cat /tmp/two')
    await closeTab()
    await window.page.getByRole('navigation').getByRole('listitem').filter({ hasText: /^\s*e2e-edited\s*$/ }).waitFor()
  })
})

test.each([
  ['before there is a sandbox', 'e2e-mount', '/no/such/folder'],
  ['when it is to be started', 'e2e-entry', '/no/such/program'],
])('a launch that Podman refuses %s leaves its words and nothing else', async (_when, profile, word) => {
  await openProject(window, world.project(profile), profile)
  await launchButton(window).click()
  const alert = window.screen.getByRole('alert')
  await alert.waitFor()
  expect(await alert.innerText()).toContain(word)
  expect(await containersOf(world)).toEqual([])
  expect(readdirSync(world.launchesFolder)).toEqual([])
})

describe('a sandbox that was started outside', () => {
  test('by paddock run appears, and can be attached', async () => {
    const terminal = world.terminal(['run', 'minimal', '--project', world.project('outside')])
    await terminal.expect(/ai@[^\r\n]*\$ /)
    await window.screen.getByRole('tab', { name: /outside/ }).click({ timeout: 10_000 })
    await window.type('echo from the $((2 + 1))rd side')
    await terminal.expect(/from the 3rd side/)
    terminal.type('exit\r')
    await terminal.ended()
    await window.screen.getByText(/Ended with exit code 0/).waitFor()
    await window.screen.getByRole('button', { name: 'Close', exact: true }).click()
  })

  test('by podman container runlabel appears', async () => {
    const folder = world.project('runlabel')
    const child = spawn('script', ['--quiet', '--command', `${podmanPath} container runlabel run localhost/paddock:e2e-plain`, '/dev/null'], { cwd: folder, env: { ...process.env, ...world.env, PWD: folder } as NodeJS.ProcessEnv, stdio: 'ignore' })
    try {
      await until('the sandbox', async () => (await world.ls()).find(({ project, state }) => project === folder && state === 'running'))
      await window.screen.getByRole('tab', { name: /runlabel/ }).waitFor({ timeout: 10_000 })
    } finally {
      child.kill()
    }
  })
})
