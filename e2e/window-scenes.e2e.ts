import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScenes, type Scenes } from '../scripts/electron/scenes.mjs'
import { root } from './harness.ts'

// The crowded, empty and failing states of the real page in the real runtime, over a main process that is made up. It needs
// no Podman, so it runs beside the command's tests.
let scenes: Scenes
let names: string[]
/** Each screen takes two or three seconds on a busy machine. */
const axeMs = 300_000

beforeAll(async () => {
  scenes = await openScenes(root, process.env)
  scenes.page.setDefaultTimeout(60_000)
  names = await scenes.names()
  await scenes.resize(1000, 640)
})
afterAll(() => scenes?.close())

const main = () => scenes.page.getByRole('main')
const sidebar = () => scenes.page.getByRole('navigation')

test('axe finds no serious fault on any screen, nor in its colours when it is dark', async () => {
  expect(names.length).toBeGreaterThan(20)
  const faults: string[] = []
  for (const name of names) {
    await scenes.open(name, 'light')
    faults.push(...(await scenes.faults()).map((fault) => `${name}: ${fault}`))
    await scenes.setTheme('dark')
    faults.push(...(await scenes.faults(['color-contrast'])).map((fault) => `${name}, dark: ${fault}`))
  }
  expect(faults).toEqual([])
}, axeMs)

describe('with 80 projects, 300 profiles and 200 sandboxes', () => {
  beforeAll(() => scenes.open('crowded', 'light'))

  test('only the rows in sight are drawn, and the arrows reach the last one', async () => {
    const rows = sidebar().getByRole('list', { name: 'Profiles' }).getByRole('listitem')
    expect(await rows.count()).toBeLessThan(60)
    await rows.first().getByRole('button').focus()
    await scenes.page.keyboard.press('End')
    await sidebar().getByRole('button', { name: /^team-300/ }).waitFor()
    expect(await scenes.page.evaluate('document.activeElement.textContent')).toContain('team-300')
  })

  test('a filter leaves the profiles that fit, says how many, and says so when there are none', async () => {
    const filter = sidebar().getByRole('searchbox', { name: 'Filter profiles' })
    await filter.fill('29')
    await sidebar().getByText(/^\d+ of 300$/).waitFor()
    await sidebar().getByRole('button', { name: /^team-291/ }).waitFor()
    await filter.fill('nothing like it')
    await sidebar().getByText('No profile is named so.').waitFor()
    await filter.fill('')
  })

  test('the tab that is shown is in sight, and a list finds the others', async () => {
    const inSight = () =>
      scenes.page.evaluate(`(() => {
        const tab = document.querySelector('[role=tab][aria-selected=true]').getBoundingClientRect()
        const strip = document.querySelector('[role=tablist]').getBoundingClientRect()
        return tab.left >= strip.left - 1 && tab.right <= strip.right + 1
      })()`)
    expect(await inSight()).toBe(true)
    await scenes.page.getByRole('button', { name: '200 sandboxes' }).click()
    await scenes.page.getByRole('combobox').last().fill('service-077')
    await scenes.page.keyboard.press('Enter')
    await main().getByRole('heading', { name: /service-077/ }).waitFor({ state: 'attached' })
    expect(await inSight()).toBe(true)
  })
})

describe('when Podman does not answer', () => {
  beforeAll(() => scenes.open('error', 'light'))

  test('the profiles say why, and offer another try', async () => {
    const alert = main().getByRole('alert').filter({ hasText: 'The profiles could not be read.' })
    await alert.getByText('Podman does not answer, because its storage is locked.', { exact: true }).waitFor()
    await alert.getByRole('button', { name: 'Try again' }).waitFor()
    await sidebar().getByText('Not known', { exact: true }).waitFor()
  })

  test('the projects are there all the same', async () => {
    await sidebar().getByRole('button', { name: 'api-server', exact: true }).waitFor()
  })
})

describe('a launch', () => {
  test('whose build fails says what, why and what to do, and keeps the log', async () => {
    await scenes.open('failed', 'light')
    const alert = main().getByRole('alert')
    expect(await alert.innerText()).toMatch(/The image was not built\.\s+npm could not reach .*\s+Check the network/)
    await main().getByText('npm http fetch GET 200').waitFor()
    await main().getByRole('button', { name: 'Try again' }).waitFor()
  })

  test('that builds can be cancelled, and the page is as before', async () => {
    await scenes.open('building', 'light')
    await main().getByRole('timer').waitFor()
    await main().getByRole('button', { name: 'Cancel' }).click()
    await main().getByRole('heading', { name: 'The launch was cancelled' }).waitFor()
    await main().getByRole('button', { name: 'Back' }).click()
    await main().getByRole('button', { name: 'Launch another in microVM' }).waitFor()
  })

  test('on a host without microVMs explains in three sentences, and a container runs when the person wants it', async () => {
    await scenes.open('no-microvm', 'light')
    const why = main().getByRole('region', { name: 'MicroVMs cannot run here' }).getByRole('paragraph')
    expect((await why.innerText()).split(/\.(?:\s|$)/).filter(Boolean)).toHaveLength(3)
    await main().getByRole('button', { name: 'Launch in container this time' }).click()
    await main().getByRole('button', { name: 'container', exact: true }).waitFor()
  })

  test('of a profile that asks for dangerous power needs a yes of its own', async () => {
    await scenes.open('findings', 'light')
    await main().getByText('gives the sandbox control over Podman on the host').waitFor()
    expect(await main().getByRole('button', { name: 'Launch in microVM', exact: true }).count()).toBe(0)
  })

  test('is one click on a project’s row', async () => {
    await scenes.open('project', 'light')
    const row = sidebar().getByRole('listitem').filter({ hasText: 'notes' })
    await row.hover()
    await row.getByRole('button', { name: 'Launch in microVM with default: notes' }).click()
    await main().getByRole('heading', { name: 'Sandbox on notes' }).waitFor({ state: 'attached' })
  })
})

describe('a profile', () => {
  beforeAll(() => scenes.open('project', 'dark'))

  test.each([
    ['web', 'The Containerfile was edited since the image was built.'],
    ['desktop', 'The image has never been built.'],
    ['old-tools', 'LABEL run has a quote that is not closed.'],
  ])('%s tells why on hover and to a screen reader, with its limits', async (name, reason) => {
    const row = sidebar().getByRole('list', { name: 'Profiles' }).getByRole('button', { name: new RegExp(`^${name}`) })
    expect(await row.getAttribute('aria-description')).toContain(reason)
    expect(await row.getAttribute('aria-description')).toContain('8 GiB · 4 vCPU · /tmp 2 GiB · 1024 processes')
    // On its way, as a hand moves it: the tip of the row that it leaves waits for where it goes.
    const { x, y } = (await row.boundingBox())!
    await scenes.page.mouse.move(x + 40, y + 10, { steps: 12 })
    await scenes.page.mouse.move(x + 42, y + 12, { steps: 3 })
    await scenes.page.getByRole('tooltip').getByText(reason).waitFor()
  })
})

test('while nothing has answered yet, the window says what it waits for', async () => {
  await scenes.open('loading', 'light')
  await sidebar().getByText('Looking at the images…').waitFor()
})

test('before the first project, it says how to add one', async () => {
  await scenes.open('empty', 'light')
  await main().getByRole('heading', { name: 'Open a project folder' }).waitFor()
  await main().getByRole('button', { name: 'Open a folder…' }).waitFor()
})
