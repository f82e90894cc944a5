import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prepareLaunch } from '../electron/core/sandboxes/prepare-launch.ts'
import { ableHost, createLauncher } from './fixtures/core.ts'
import { installRecordingRuntime } from './fixtures/recording-runtime.ts'
import { launchButton, openProject, openWindow, type WindowApp, writeSettings } from './fixtures/window-app.ts'
import { createWorld, onMinimal, root, until, type World } from './harness.ts'
import { openTerminal } from './terminal.ts'

// A profile is shaped in the real window, built and launched by the real Podman.
let world: World
let window: WindowApp
const name = 'e2e-editor'
/** It gets the package lists of a whole distribution. */
const buildTimeoutMs = 400_000
const folderOf = (profile: string) => join(world.profilesFolder, profile)
const fileOf = (profile: string) => join(folderOf(profile), 'Containerfile')
const saved = (profile = name) => readFileSync(fileOf(profile), 'utf8')
const draftFile = (profile: string) => join(world.folder, 'state/paddock/drafts', `${profile}.json`)

beforeAll(async () => {
  world = createWorld('window-editor')
  writeSettings(world)
  world.ownImage(name)
  for (const args of [['build', 'minimal'], ['profile', 'duplicate', 'minimal', name]]) {
    const { code, stderr } = await world.paddock(args)
    expect(code, stderr).toBe(0)
  }
  window = await openWindow(world)
})
afterAll(async () => {
  await window?.kill()
  await world.dispose()
})

const text = (profile = name) => window.screen.getByRole('textbox', { name: `Containerfile of ${profile}` })
const form = (profile = name) => window.screen.getByRole('form', { name: `Profile ${profile}` })
const findings = () => window.screen.getByRole('list', { name: 'Findings' })
const shows = (words: string | RegExp) => window.screen.getByRole('status').filter({ hasText: words }).first().waitFor()
const hasText = (part: string, profile = name) => until(`the text has ${part}`, async () => (await text(profile).innerText()).includes(part))
const hasNoText = (part: string, profile = name) => until(`the text has no ${part}`, async () => !(await text(profile).innerText()).includes(part))

async function edit(profile: string): Promise<void> {
  await window.page.getByRole('navigation').getByRole('button', { name: new RegExp(`^${profile}`) }).waitFor()
  await window.page.keyboard.press('Control+k')
  await window.page.getByRole('combobox').last().fill(`Edit profile ${profile}`)
  await window.page.getByRole('option', { name: `Edit profile ${profile}`, exact: true }).click()
  await text(profile).waitFor()
}
/** Only what is in sight of a long text is in the page. */
async function goToEnd(profile = name): Promise<void> {
  await text(profile).focus()
  await window.page.keyboard.press('Control+End')
}
async function typeAtEnd(words: string, profile = name): Promise<void> {
  await goToEnd(profile)
  await window.page.keyboard.type(words)
}
const openFindings = async () => {
  const button = window.screen.getByRole('button', { name: /^\d+ (error|warning|note)/ })
  await button.waitFor()
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
}
/** The window looks at files when it gets the focus. */
const comeBack = async () => {
  for (const event of ['blur', 'focus']) await window.app.evaluate(({ BrowserWindow }, event) => BrowserWindow.getAllWindows()[0]!.emit(event), event)
}

describe('the form and the text', () => {
  test('each show at once what the other changes, and one undo takes both back', async () => {
    await window.page.getByRole('navigation').getByRole('button', { name: new RegExp(`^${name}`) }).click()
    await window.page.getByRole('complementary').getByRole('button', { name: 'Edit', exact: true }).click()
    await text().waitFor()
    await form().getByLabel('RAM').fill('4 GiB')
    await hasText('krun.ram_mib=4096')
    await form().getByLabel('Egress').selectOption('Deny')
    await hasText('--annotation dev.paddock.egress=deny')
    await form().getByLabel('/tmp').fill('64m')
    await form().getByLabel('Processes').fill('300')
    await form().getByRole('textbox', { name: 'Packages' }).fill('less')
    await window.page.keyboard.press('Enter')
    await hasText('ca-certificates git openssh-server less')
    await shows(/Rebuild needed from line \d+, RUN/)
    await text().focus()
    await window.page.keyboard.press('Control+z')
    await hasNoText('openssh-server less')
    await form().getByRole('button', { name: 'Remove less' }).waitFor({ state: 'detached' })
    await window.page.keyboard.press('Control+y')
    await form().getByRole('button', { name: 'Remove less' }).waitFor()
    await typeAtEnd('ENV GREETING=hello')
    await form().getByLabel('GREETING', { exact: true }).waitFor()
    expect(await form().getByLabel('GREETING', { exact: true }).inputValue()).toBe('hello')
    expect(saved()).toBe(readFileSync(join(root, 'profiles/minimal/Containerfile'), 'utf8'))
  })

  test('are saved by Ctrl+S, with only the changed lines changed', async () => {
    await window.page.keyboard.press('Control+s')
    await shows('Saved')
    const before = readFileSync(join(root, 'profiles/minimal/Containerfile'), 'utf8').split('\n')
    expect(saved().split('\n').filter((line) => !before.includes(line))).toEqual([
      '      ca-certificates git openssh-server less \\',
      '--network none \\',
      '--annotation krun.ram_mib=4096 \\',
      '--annotation dev.paddock.egress=deny \\',
      '--tmpfs /tmp:rw,noexec,nosuid,nodev,size=64m \\',
      '--pids-limit 300 \\',
      'ENV GREETING=hello',
    ])
    await until('the draft is gone', () => !existsSync(draftFile(name)))
  })

  test('are saved with what stands in a box and was not added', async () => {
    await form().getByRole('textbox', { name: 'Packages' }).fill('tree')
    await window.page.keyboard.press('Control+s')
    await until('it is saved', () => saved().includes('openssh-server less tree'))
    await form().getByRole('button', { name: 'Remove tree' }).click()
    await window.page.keyboard.press('Control+s')
    await until('it is gone again', () => !saved().includes('less tree'))
  })
})

describe('findings', () => {
  test('stand at their line as it is typed, those of the folder too, and a fix mends the text', async () => {
    await typeAtEnd('\nCOPY missing.txt /tmp/\nUSER nobody')
    await openFindings()
    const lines = saved().split('\n').length
    await findings().getByRole('button', { name: `error, Line ${lines + 1} missing.txt is not in the profile’s folder.` }).waitFor()
    await findings().getByRole('button', { name: `error, Line ${lines + 2} The image’s user is nobody, not ai.` }).click()
    expect(await window.page.locator('.cm-lint-marker-error').count()).toBe(2)
    await findings().getByRole('button', { name: 'Remove this USER' }).click()
    await hasNoText('USER nobody')
    writeFileSync(join(folderOf(name), 'missing.txt'), '')
    await typeAtEnd('\n')
    await window.screen.getByText('No findings').waitFor()
  })
})

describe('a build from the editor', () => {
  test('that fails marks the step in the text, with the log in place', async () => {
    await typeAtEnd('RUN echo what it said first && exit 3')
    await window.screen.getByRole('button', { name: 'Save and build' }).click()
    await window.screen.getByRole('heading', { name: 'The build failed' }).waitFor({ timeout: buildTimeoutMs })
    expect(await window.screen.getByLabel('Build log').innerText()).toContain('what it said first')
    await openFindings()
    const line = saved().split('\n').findIndex((one) => one.startsWith('RUN echo what')) + 1
    const row = findings().getByRole('button', { name: new RegExp(`^error, Line ${line} The build stopped here, at step`) })
    await row.click()
    // The text is made first when it was not in sight.
    await text().and(window.page.locator(':focus')).waitFor()
    await window.page.keyboard.press('End')
    await window.page.keyboard.press('Backspace')
    await window.page.keyboard.type('0')
    await window.screen.getByText('No findings').waitFor()
  }, buildTimeoutMs + 60_000)

  test('is launched with what was set', async () => {
    await window.screen.getByRole('button', { name: 'Save and build' }).click()
    await window.screen.getByRole('heading', { name: 'Built' }).waitFor({ timeout: buildTimeoutMs })
    await openProject(window, world.project('shaped'), name)
    await launchButton(window).click()
    await window.shows(/\$ /)
    await window.type('clear; echo "$GREETING"; command -v less; stat -f -c "%b*%S" /tmp | sed "s/^/tmp /"')
    await window.shows(/hello[^]*\/usr\/bin\/less[^]*tmp \d+\*\d+/)
    const [, blocks, size] = /tmp (\d+)\*(\d+)/.exec(await window.shows(/tmp (\d+)\*(\d+)/))!
    expect(Number(blocks) * Number(size)).toBe(64 * 1024 ** 2)
    const [sandbox] = await world.ls()
    expect(sandbox!.caps).toMatchObject({ ramMib: 4096, pids: 300, tmpSize: '64m' })
    await window.type('exit')
    await window.screen.getByText(/Ended with exit code/).waitFor()
  }, buildTimeoutMs + 60_000)

  test('is tried on an empty folder', async () => {
    await window.page.getByRole('navigation').getByRole('button', { name: new RegExp(`^${name}`) }).click()
    // The panel tells of the last build until that is read.
    await window.page.getByRole('complementary').getByRole('button', { name: 'Back' }).click()
    await window.page.getByRole('complementary').getByRole('button', { name: 'Edit', exact: true }).click()
    await window.screen.getByRole('button', { name: 'Try it in a throwaway sandbox' }).click()
    await window.shows(/\$ /)
    await window.type('clear; echo "$GREETING, $(ls -A | wc -l) files"')
    await window.shows(/hello[^,]*, 0 files/)
    await window.type('exit')
    await window.screen.getByText(/Ended with exit code/).filter({ visible: true }).waitFor()
  })

  test('hands the runtime the annotations that were set', async () => {
    const runtime = await installRecordingRuntime(world, '+LIBKRUN')
    const input = { profile: name, project: world.project(), cwd: '/', tty: true, command: ['true'], acceptFindings: false, isolation: 'microvm' as const }
    const plan = await prepareLaunch(createLauncher(world, ableHost), input, { signal: new AbortController().signal, onProgress: () => {} })
    runtime.taken()
    const terminal = openTerminal(plan.command as [string, ...string[]], world.env, world.folder)
    await terminal.ended()
    expect(runtime.taken()[0]!.annotations, terminal.text).toMatchObject({ 'krun.ram_mib': '4096', 'dev.paddock.egress': 'deny' })
  })
})

test('a bundled profile says before that a copy will be made, and is one after the first save', async () => {
  await edit('default')
  await window.screen.getByText('Saving makes a copy of your own').waitFor()
  await typeAtEnd('# mine', 'default')
  expect(existsSync(folderOf('default'))).toBe(false)
  await window.screen.getByRole('button', { name: 'Save a copy', exact: true }).click()
  await shows('Saved')
  expect(saved('default')).toBe(`${readFileSync(join(root, 'profiles/default/Containerfile'), 'utf8')}# mine`)
  await window.screen.getByText('Saving makes a copy of your own').waitFor({ state: 'detached' })
  rmSync(folderOf('default'), { recursive: true })
})

describe('an unsaved change', () => {
  test('survives the app’s SIGKILL, and its row says so', async () => {
    await edit(name)
    const before = saved()
    await typeAtEnd('# not saved yet')
    await until('the draft is on the disk', () => existsSync(draftFile(name)) && readFileSync(draftFile(name), 'utf8').includes('not saved yet'))
    await window.kill()
    expect(saved()).toBe(before)
    window = await openWindow(world)
    await window.page.getByRole('navigation').getByRole('button', { name: /^e2e-editor\s*, unsaved changes/ }).waitFor()
    await edit(name)
    await goToEnd()
    await hasText('# not saved yet')
    await shows('Not saved')
  })

  test('survives a crash of the page', async () => {
    await typeAtEnd(', nor after the crash')
    await until('the draft is on the disk', () => readFileSync(draftFile(name), 'utf8').includes('nor after the crash'))
    await window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.webContents.forcefullyCrashRenderer())
    await window.kill()
    window = await openWindow(world)
    await edit(name)
    await goToEnd()
    await hasText('# not saved yet, nor after the crash')
  })
})

describe('a file that is changed outside meanwhile', () => {
  test('is offered for merging, and never overwritten', async () => {
    const outside = saved().replace('krun.cpus=2', 'krun.cpus=3')
    writeFileSync(fileOf(name), outside)
    await comeBack()
    const bar = window.screen.getByRole('alert').filter({ hasText: 'changed outside' })
    await bar.waitFor()
    await window.page.keyboard.press('Control+s')
    expect(saved()).toBe(outside)
    await bar.getByRole('button', { name: 'Compare' }).click()
    await text().getByText('krun.cpus=3').waitFor()
    const chunk = text().locator('.cm-deletedChunk').filter({ hasText: 'krun.cpus=3' })
    await chunk.getByRole('button', { name: 'Take theirs' }).click()
    await window.screen.getByRole('button', { name: 'Keep this text' }).click()
    await until('the form has theirs', async () => (await form().getByLabel('vCPUs').inputValue()) === '3')
    await window.page.keyboard.press('Control+s')
    await shows('Saved')
    expect(saved()).toContain('krun.cpus=3')
    expect(saved()).toContain('# not saved yet')
  })

  test('is shown as it is now while nothing was changed here', async () => {
    appendFileSync(fileOf(name), '\n# theirs alone\n')
    await comeBack()
    await hasText('# theirs alone')
    await shows('Saved')
  })
})

test('a hostile Containerfile is text and nothing else', async () => {
  const markup = '<img src=x onerror=window.wasRun=1><script>window.wasRun=1</script>'
  world.profile('e2e-hostile', onMinimal(undefined, [`# ${markup}`, `ENV TEXT="${markup}"`, 'COPY <b>bold</b> /x', `RUN echo \u202e${markup}`, 'USER <i>root</i>']))
  await comeBack()
  await edit('e2e-hostile')
  await openFindings()
  expect(await form('e2e-hostile').getByRole('textbox', { name: 'TEXT' }).inputValue()).toBe(markup)
  expect(await findings().innerText()).toContain('<i>root</i>')
  await window.page.locator('.cm-lint-marker').first().hover()
  await window.page.locator('.cm-tooltip').waitFor()
  expect(await window.page.evaluate("[document.querySelectorAll('.editor :is(img:not(.cm-widgetBuffer), script, b, i), .cm-tooltip :is(img, script, b, i)').length, window.wasRun]")).toEqual([0, undefined])
  // A mark that turns the direction of the text is drawn, not obeyed.
  await window.page.locator('.cm-specialChar').waitFor()
})
