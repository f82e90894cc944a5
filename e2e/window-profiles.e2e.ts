import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createNpmRegistry, integrityOf, type NpmRegistry } from './fixtures/npm-registry.ts'
import { answerDialogs, shownDialogs } from './fixtures/system-dialog.ts'
import { openWindow, type WindowApp, writeSettings } from './fixtures/window-app.ts'
import { containersOf, createWorld, onMinimal, until, type World } from './harness.ts'

let world: World
let window: WindowApp
let registry: NpmRegistry

const pinned = `# npm: tool\nARG TOOL_VERSION=1.0.0\nARG TOOL_INTEGRITY=${integrityOf('tool@1.0.0')}\n# npm: young\nARG YOUNG_VERSION=1.0.0\nARG YOUNG_INTEGRITY=${integrityOf('young@1.0.0')}\n${onMinimal()}`

const open = () =>
  openWindow(world, { env: { npm_config_registry: registry.url, npm_config_cache: join(world.folder, 'npm-cache'), npm_config_userconfig: join(world.folder, 'npmrc') } })

beforeAll(async () => {
  world = createWorld('window-profiles')
  writeSettings(world)
  registry = await createNpmRegistry()
  registry.publish('young', { '1.0.0': { ageDays: 90 }, '1.0.1': { ageDays: 1 } })
  world.profile('e2e-pinned', pinned)
  world.profile('e2e-risky', onMinimal((label) => label.replace('podman run', 'podman run --privileged')))
  world.profile('e2e-typo', 'FROM a\nCOPPY x /\n')
  for (const name of ['minimal', 'e2e-pinned']) {
    const built = await world.paddock(['build', name])
    expect(built.code, built.stderr).toBe(0)
  }
  window = await open()
})
afterAll(async () => {
  await window?.kill()
  await registry?.close()
  await world.dispose()
})

const side = () => window.page.getByRole('navigation')
const row = (name: string) => side().getByRole('list', { name: 'Profiles' }).getByRole('listitem').filter({ has: window.page.getByText(name, { exact: true }) })
const panel = (name: string) => window.page.getByRole('complementary', { name, exact: true })
const button = (name: string, label: string | RegExp) => panel(name).getByRole('button', { name: label, ...(typeof label === 'string' && { exact: true }) })
const file = (name: string) => join(world.profilesFolder, name, 'Containerfile')
const read = (name: string) => readFileSync(file(name), 'utf8')
async function show(name: string): Promise<void> {
  if ((await panel(name).count()) === 0) await row(name).getByRole('button').first().click()
  await panel(name).waitFor()
}
async function choose(name: string, item: string): Promise<void> {
  await show(name)
  await button(name, `More for ${name}`).click()
  await window.page.getByRole('menuitem', { name: item, exact: true }).click()
}

describe('a profile', () => {
  test('that is made, changed or removed outside is seen without a look away from the window', async () => {
    const folder = join(world.profilesFolder, 'e2e-outside')
    mkdirSync(folder)
    writeFileSync(join(folder, 'Containerfile'), onMinimal())
    await row('e2e-outside').waitFor()
    await show('e2e-outside')
    writeFileSync(join(folder, 'Containerfile'), onMinimal((label) => label.replace('krun.ram_mib=2048', 'krun.ram_mib=3072')))
    await panel('e2e-outside').getByText('3 GiB').waitFor()
    rmSync(folder, { recursive: true })
    await row('e2e-outside').waitFor({ state: 'detached' })
  })

  test('is made in the sidebar, by keyboard; what is wrong with its name is said while it is typed', async () => {
    await side().getByRole('button', { name: 'New profile' }).click()
    const form = side().getByRole('form', { name: 'New profile' })
    await window.page.keyboard.type('E2E')
    await form.getByText('It begins with a small letter or a digit.').waitFor()
    expect(await form.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true)
    await form.getByRole('textbox').fill('minimal')
    await form.getByText('There is a profile of this name already.').waitFor()
    await window.page.keyboard.press('Enter')
    await form.getByRole('textbox').fill('e2e-new')
    await form.getByRole('combobox', { name: 'Adds to' }).selectOption('minimal')
    await form.getByRole('textbox').press('Enter')
    await panel('e2e-new').getByText('The image has not been built.').waitFor()
    expect(read('e2e-new')).toMatch(/^FROM localhost\/paddock:minimal$/m)
    expect(await form.count()).toBe(0)
    await row('e2e-new').waitFor()
  })

  test('is not made when the person thinks better of it', async () => {
    await side().getByRole('button', { name: 'New profile' }).click()
    await window.page.keyboard.type('e2e-never')
    await window.page.keyboard.press('Escape')
    await side().getByRole('form', { name: 'New profile' }).waitFor({ state: 'detached' })
    expect(existsSync(file('e2e-never'))).toBe(false)
    expect(await panel('e2e-new').count()).toBe(1)
  })

  test('is duplicated with its text, and renamed', async () => {
    await choose('e2e-pinned', 'Duplicate…')
    await window.page.keyboard.type('e2e-copy\n')
    await panel('e2e-copy').waitFor()
    expect(read('e2e-copy')).toBe(pinned)
    await choose('e2e-copy', 'Rename…')
    await window.page.keyboard.type('e2e-other\n')
    await panel('e2e-other').waitFor()
    expect(read('e2e-other')).toBe(pinned)
    expect(existsSync(file('e2e-copy'))).toBe(false)
    await row('e2e-copy').waitFor({ state: 'detached' })
  })

  test('goes to the trash after one question, and it says where that is', async () => {
    await choose('e2e-other', 'Delete…')
    await button('e2e-other', 'Keep').click()
    expect(existsSync(file('e2e-other'))).toBe(true)
    await choose('e2e-other', 'Delete…')
    await button('e2e-other', 'Move to trash').click()
    const told = panel('e2e-other').getByRole('status', { name: 'e2e-other was moved to the trash.' })
    await told.waitFor()
    const path = /\S*\/Trash\/files\/\S+|\S*\/\.Trash-\d+\/files\/\S+/.exec(await told.innerText())![0]
    expect(readFileSync(join(path, 'Containerfile'), 'utf8')).toBe(pinned)
    expect(existsSync(file('e2e-other'))).toBe(false)
    await row('e2e-other').waitFor({ state: 'detached' })
    rmSync(path, { recursive: true })
    rmSync(join(dirname(dirname(path)), 'info', `${basename(path)}.trashinfo`))
  })

  test('that comes with Paddock is neither renamed nor deleted', async () => {
    await show('minimal')
    await button('minimal', 'More for minimal').click()
    expect(await window.page.getByRole('menuitem').allInnerTexts()).toEqual(['Duplicate…', 'Export as a folder…', 'Import a file…', 'Import a folder…'])
    await window.page.keyboard.press('Escape')
  })

  test('that the proxy is made of says so, and cannot be tried', async () => {
    await show('egress')
    await panel('egress').getByText('The proxy of sandboxes with an allowlist is made of it').waitFor()
    expect(await panel('egress').getByRole('button', { name: 'Try it' }).count()).toBe(0)
  })

  test('that is broken names its file', async () => {
    await show('e2e-typo')
    await panel('e2e-typo').getByText('COPPY is not an instruction').waitFor()
    expect((await panel('e2e-typo').innerText()).replaceAll('\n', '')).toContain(file('e2e-typo'))
    expect(await button('e2e-typo', 'Try it').count()).toBe(0)
  })
})

describe('through the system’s dialogs', () => {
  test('a devcontainer.json is imported, and what could not be taken over is listed', async () => {
    const folder = join(world.folder, 'shop/.devcontainer')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'devcontainer.json'), '{ "name": "e2e shop", "image": "debian:trixie-slim", "postCreateCommand": "npm ci", "features": { "ghcr.io/devcontainers/features/docker-in-docker:2": {} } }')
    await answerDialogs(window, join(folder, 'devcontainer.json'))
    await choose('minimal', 'Import a file…')
    const notes = panel('e2e-shop').getByRole('status', { name: 'e2e-shop was imported.' })
    await notes.waitFor()
    expect(await notes.innerText()).toMatch(/docker-in-docker[\s\S]*post-create|post-create[\s\S]*docker-in-docker/)
    expect(read('e2e-shop')).toContain('FROM debian:trixie-slim')
    expect(await shownDialogs(window)).toEqual([['openFile', 'showHiddenFiles']])
    await notes.getByRole('button', { name: 'Dismiss' }).click()
    await notes.waitFor({ state: 'detached' })
  })

  test('a folder is imported from the palette, with a number where the name is taken', async () => {
    await answerDialogs(window, join(world.folder, 'shop'))
    await window.page.keyboard.press('Control+k')
    await window.page.getByRole('dialog').getByRole('combobox').fill('import a profile from a folder')
    await window.page.getByRole('option', { name: 'Import a profile from a folder…' }).waitFor()
    await window.page.keyboard.press('Enter')
    await panel('e2e-shop-2').getByText('There is a profile e2e-shop already').waitFor()
    expect(await shownDialogs(window)).toEqual([['openDirectory', 'showHiddenFiles']])
  })

  test('what is no profile is refused with the reason, and nothing is made', async () => {
    const before = readdirSync(world.profilesFolder)
    await answerDialogs(window, world.project('without either'))
    await choose('e2e-shop', 'Import a folder…')
    const alert = window.screen.getByRole('alert')
    await alert.getByText('Nothing was imported.').waitFor()
    expect(await alert.innerText()).toContain('it has none of')
    await alert.getByRole('button', { name: 'Dismiss' }).click()
    expect(readdirSync(world.profilesFolder)).toEqual(before)
  })

  test('a profile is exported as a folder; it takes the place of nothing', async () => {
    const target = world.project('exported')
    await answerDialogs(window, target)
    await choose('minimal', 'Export as a folder…')
    await panel('minimal').getByRole('status', { name: 'minimal was copied.' }).waitFor()
    expect(readdirSync(join(target, 'minimal')).sort()).toEqual(['Containerfile', 'entrypoint'])
    await choose('minimal', 'Export as a folder…')
    const alert = window.screen.getByRole('alert')
    await alert.getByText(`${join(target, 'minimal')} exists already.`).waitFor()
    await alert.getByRole('button', { name: 'Dismiss' }).click()
  })

  test('a page that was taken over chooses no path, and leaves the folders of profiles by no name', async () => {
    for (const [name, input] of [
      ['profile.import', { path: '/etc/hostname', name: 'e2e-stolen' }],
      ['profile.export', { name: 'minimal', folder: join(world.folder, 'stolen') }],
      ['sandbox.prepare', { cwd: '/', project: '/', tty: false, command: [], acceptFindings: true }],
    ] as const) expect(await window.call(name, input)).toMatchObject({ ok: false, error: { code: 'usage', message: `There is no call "${name}".` } })
    const outside = '../../e2e-stolen'
    for (const [name, input] of [
      ['profile.create', { name: outside }],
      ['profile.duplicate', { name: 'minimal', as: outside }],
      ['profile.rename', { name: 'e2e-shop', to: outside }],
      ['profile.open', { name: '../../../../etc' }],
      ['profile.save', { name: outside, text: 'FROM a', hash: '' }],
      ['profile.remove', { name: '..' }],
      ['profile.try', { profile: outside, acceptFindings: true }],
      ['profile.upgrade', { name: outside, minAgeDays: 0, apply: true }],
    ] as const) expect(await window.call(name, input), name).toMatchObject({ ok: false, error: { code: expect.stringMatching(/^profile-(unknown|refused)$/) } })
    await answerDialogs(window, null)
    expect(await window.call('profile.pickExport', { name: 'minimal', folder: join(world.folder, 'stolen') })).toEqual({ ok: true, value: null })
    expect(readdirSync(world.folder).filter((name) => name.includes('stolen'))).toEqual([])
  })
})

describe('newer versions', () => {
  const summary = (text: string) => panel('e2e-pinned').getByText(text)
  const pin = (name: string) => panel('e2e-pinned').getByRole('listitem').filter({ hasText: name })

  test.each<[what: string, answer: () => void, why: RegExp]>([
    ['fails', () => registry.answer('tool', { kind: 'status', status: 500 }), /500/],
    ['gives another integrity', () => registry.publish('tool', { '1.0.0': { ageDays: 90, integrity: integrityOf('taken over') } }), /another integrity/],
  ])('a registry that %s changes nothing and is named; what was read of others is shown', async (_what, answer, why) => {
    answer()
    await show('e2e-pinned')
    await button('e2e-pinned', 'Check for updates').click()
    await summary('The registry gave no answer to trust for 1 of 2. Nothing was changed.').waitFor()
    expect(await pin('tool').innerText()).toMatch(why)
    expect(await pin('young').innerText()).toContain('1.0.1 is 1 day old')
    expect(await button('e2e-pinned', /^Upgrade/).count()).toBe(0)
    expect(read('e2e-pinned')).toBe(pinned)
    await button('e2e-pinned', 'Back').click()
  })

  test('a registry that hangs is left, and nothing was changed', async () => {
    registry.answer('tool', { kind: 'hang' })
    await button('e2e-pinned', 'Check for updates').click()
    await summary('Looked for young (1 of 2)').waitFor()
    await button('e2e-pinned', 'Cancel').click()
    await summary('Cancelled. Nothing was changed.').waitFor()
    expect(read('e2e-pinned')).toBe(pinned)
    await button('e2e-pinned', 'Back').click()
  })

  test('are shown with their age, those held back with the reason, and only the pins are written; the image is stale then', async () => {
    registry.publish('tool', { '1.0.0': { ageDays: 90 }, '1.1.0': { ageDays: 12 } })
    expect(await row('e2e-pinned').innerText()).not.toContain('stale')
    await button('e2e-pinned', 'Check for updates').click()
    await summary('1 of 2 have a newer version.').waitFor()
    expect((await pin('tool').innerText()).replaceAll('\n', ' ')).toMatch(/newer.*1\.0\.0 → 1\.1\.0.*12 days old/)
    expect((await pin('young').innerText()).replaceAll('\n', ' ')).toMatch(/held back.*1\.0\.0.*1\.0\.1 is 1 day old/)
    await panel('e2e-pinned').getByText('Versions younger than 2 days are held back').waitFor()
    // What is published after the person looked is not taken.
    registry.publish('young', { '1.0.0': { ageDays: 90 }, '1.0.2': { ageDays: 50 } })
    await button('e2e-pinned', 'Upgrade 1 pin').click()
    await summary('The pins were written.').waitFor()
    expect(read('e2e-pinned')).toBe(pinned.replace('TOOL_VERSION=1.0.0', 'TOOL_VERSION=1.1.0').replace(integrityOf('tool@1.0.0'), integrityOf('tool@1.1.0')))
    await row('e2e-pinned').getByText('stale').waitFor()
    await button('e2e-pinned', 'Back').click()
    await panel('e2e-pinned').getByText('stale', { exact: true }).waitFor()
  })
})

test('the base image’s age is shown, and what stands on it is built anew on the newest one', async () => {
  const base = `localhost/e2e-ground-${process.pid}:1`
  await world.podman(['tag', 'localhost/paddock:minimal', base])
  try {
    world.profile('e2e-ground', `ARG BASE_IMAGE=${base}\nFROM $BASE_IMAGE\n`)
    world.profile('e2e-above', 'FROM localhost/paddock:e2e-ground\n')
    await window.call('settings.set', { baseImage: base })
    for (const event of ['blur', 'focus']) await window.app.evaluate(({ BrowserWindow }, name) => BrowserWindow.getAllWindows()[0]!.emit(name), event)
    await show('e2e-above')
    expect(await panel('e2e-above').innerText()).toMatch(new RegExp(`${base}, (less than a day|\\d+ days?) old`))
    await button('e2e-above', 'Refresh base packages').click()
    // It is that profile’s build, so its panel shows it.
    await panel('e2e-ground').getByRole('heading', { name: 'Built', exact: true }).waitFor()
    await panel('e2e-ground').getByText(`${base} was made on this machine: there is no newer one to pull.`).waitFor()
    expect(await panel('e2e-ground').getByRole('list', { name: 'Steps' }).innerText()).toContain('Building localhost/paddock:e2e-ground from profile e2e-ground')
    await button('e2e-ground', 'Back').click()
    await panel('e2e-ground').getByText('fresh', { exact: true }).waitFor()
  } finally {
    await window.call('settings.set', { baseImage: undefined })
    await world.podman(['untag', base, base])
  }
})

describe('a throwaway sandbox', () => {
  const tries = () => join(world.folder, 'state/paddock/tries')
  const made = () => (existsSync(tries()) ? readdirSync(tries()) : [])
  const projects = async () => ((await window.call('project.list', {})) as { value: unknown[] }).value

  test('stands on an empty folder that is there for it, and goes with it; no project is remembered', async () => {
    await show('minimal')
    await button('minimal', 'Try it').click()
    await window.shows(/\$ /)
    await window.type('ls -A | wc -l; touch made-inside; mkdir closed; touch closed/x; chmod 000 closed; echo $((6 * 7))-done')
    await window.shows(/42-done/)
    await window.screen.getByRole('tab', { name: /try-minimal/ }).waitFor()
    const [folder] = made()
    expect(readdirSync(join(tries(), folder!, 'try-minimal')).sort()).toEqual(['closed', 'made-inside'])
    expect(await projects()).toEqual([])
    await window.type('exit')
    await window.screen.getByText('Ended with exit code 0').waitFor()
    await until('the folder is gone', () => made().length === 0)
    await window.screen.getByRole('button', { name: 'Close', exact: true }).click()
    await window.screen.getByRole('heading', { name: 'Try minimal' }).waitFor()
    expect(await side().getByText('try-minimal').count()).toBe(0)
  })

  test('of a dangerous profile is asked about, as every launch is, and makes nothing before', async () => {
    await show('e2e-risky')
    await button('e2e-risky', 'Try it').click()
    await window.screen.getByRole('heading', { name: 'e2e-risky asks for more than a sandbox should have' }).waitFor()
    expect(await containersOf(world)).toEqual([])
    expect(made()).toEqual([])
    await window.screen.getByRole('button', { name: 'Do not launch' }).click()
    expect(await window.call('profile.try', { profile: 'e2e-risky', acceptFindings: false })).toMatchObject({ ok: false, error: { code: 'findings-not-accepted' } })
    await until('nothing is left of it', () => made().length === 0)
  })

  test('that outlived the app keeps its folder until it ends; the next start takes away what is left', async () => {
    await window.screen.getByRole('heading', { name: 'Try e2e-risky' }).waitFor()
    await show('minimal')
    await button('minimal', 'Try it').click()
    await window.shows(/\$ /)
    await window.kill()
    mkdirSync(join(tries(), '0f8fad5b-d9cb-469f-a165-70867728950e/try-left'), { recursive: true })
    window = await open()
    await window.screen.getByRole('tab', { name: /try-minimal/ }).click()
    await until('what was left is gone', () => made().length === 1)
    await window.type('echo still-$((40 + 1))')
    await window.shows(/still-41/)
    expect(existsSync(join(tries(), made()[0]!, 'try-minimal'))).toBe(true)
    await window.type('exit')
    await until('the folder is gone', () => made().length === 0)
  })
})
