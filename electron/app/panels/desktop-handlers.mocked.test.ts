import { mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createFakePodman, type FakePodman } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import type { CallContext } from '../../../shared/contract/contract.ts'
import type { IdleChannels } from '../../core/guest/idle-channels.ts'
import type { PanelServices } from '../panel-handlers.ts'
import { createDesktopHandlers } from './desktop-handlers.ts'

const chosen = vi.hoisted(() => ({ filePath: '' }))
// What the person chooses in the system's dialog.
vi.mock('electron', () => ({ dialog: { showSaveDialog: async () => chosen } }))

const context: CallContext = { signal: new AbortController().signal, onProgress: () => {} }
const id = 'a'.repeat(64)
const png = Buffer.from('a picture')
let fake: FakePodman
let project: string
beforeEach(() => {
  fake = createFakePodman()
  fake.answer([{ on: '^ps ', stdout: '[]' }])
  project = join(realpathSync(fake.folder), 'project')
  mkdirSync(project)
})
afterEach(() => fake.remove())

function save(): Promise<{ to: string } | null> {
  const services = {
    core: { podman: fake.podman, paths: { homesFolder: join(fake.folder, 'homes'), desktopsFolder: join(fake.folder, 'desktops') } },
    projects: { list: async () => [{ folder: project }] },
    window: { current: () => null },
    desktopWindows: { of: () => null },
  } as unknown as PanelServices
  return createDesktopHandlers(services, { use: async () => ({ png }) } as unknown as IdleChannels)['desktop.screenshot']({ id }, context)
}

it('saves a picture where the person chooses', async () => {
  chosen.filePath = join(project, 'desktop.png')
  expect(await save()).toEqual({ to: chosen.filePath })
  expect(readFileSync(chosen.filePath)).toEqual(png)
})

it('saves no picture through a link that a sandbox may have put there', async () => {
  const precious = join(fake.folder, 'precious')
  writeFileSync(precious, 'mine')
  chosen.filePath = join(project, 'desktop.png')
  symlinkSync(precious, chosen.filePath)
  await expect(save()).rejects.toMatchObject({ report: { code: 'copy-failed', message: expect.stringContaining('a sandbox can write there') } })
  expect(readFileSync(precious, 'utf8')).toBe('mine')
})
