import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { answerDialogs, dropFiles, shownDialogs } from './fixtures/system-dialog.ts'
import { openWindow, type WindowApp } from './fixtures/window-app.ts'
import { createWorld, type World } from './harness.ts'

let world: World
let window: WindowApp
beforeAll(async () => {
  world = createWorld('window-projects')
  window = await openWindow(world)
})
afterAll(async () => {
  await window?.kill()
  await world.dispose()
})

const side = () => window.page.getByRole('navigation')
const row = (name: string) => side().getByRole('list', { name: 'Projects' }).getByRole('button', { name, exact: true })
const folders = async () => ((await window.call('project.list', {})) as { value: { folder: string }[] }).value.map(({ folder }) => folder)

test('a folder that is chosen in the system’s dialog becomes a project, and is shown', async () => {
  const folder = world.project('chosen here')
  await answerDialogs(window, folder)
  await side().getByRole('button', { name: 'Open a project folder' }).click()
  await window.screen.getByRole('heading', { name: 'chosen here' }).waitFor()
  await row('chosen here').waitFor()
  expect(await shownDialogs(window)).toEqual([['openDirectory', 'createDirectory']])
  expect(await folders()).toEqual([folder])
})

test('a dialog that is closed changes nothing', async () => {
  await answerDialogs(window, null)
  await side().getByRole('button', { name: 'Open a project folder' }).click()
  await window.screen.getByRole('heading', { name: 'chosen here' }).waitFor()
  expect(await shownDialogs(window)).toHaveLength(1)
  expect(await folders()).toHaveLength(1)
})

test('a folder that is dropped on the window becomes a project; of several, all', async () => {
  const [one, two] = [world.project('dropped – ünïcode'), world.project('another')]
  await dropFiles(window, [one])
  await window.screen.getByRole('heading', { name: 'dropped – ünïcode' }).waitFor()
  await row('dropped – ünïcode').waitFor()
  await dropFiles(window, [two, one])
  await row('another').waitFor()
  expect((await folders()).sort()).toEqual([one, two, world.project('chosen here')].sort())
})

test('a file that is dropped is no project, and it says why', async () => {
  const file = join(world.folder, 'notes.txt')
  writeFileSync(file, 'no folder')
  await dropFiles(window, [file])
  const alert = window.screen.getByRole('alert')
  await alert.getByText('The folder was not added.').waitFor()
  expect(await alert.innerText()).toContain(`${file} cannot be the project: it is not a folder.`)
  expect(await alert.innerText()).not.toContain('--project')
  expect(await folders()).toHaveLength(3)
  await alert.getByRole('button', { name: 'Dismiss' }).click()
})
