import { mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createDesktopBoards, type DesktopBoards } from './desktop-board.ts'

const id = 'a'.repeat(64)
const act = { tool: 'desktop_click', at: '2026-11-30T12:00:00.000Z', place: { x: 3, y: 4 } }
let folder: string
let boards: DesktopBoards
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paddock-boards-'))
  boards = createDesktopBoards(join(folder, 'desktops'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('holds nothing before anybody wrote', async () => {
  expect(await boards.read(id)).toEqual({ isPaused: false, act: null })
  await boards.pause(id, false)
})

it('tells another process of a pause and of what was done last', async () => {
  await boards.pause(id, true)
  await boards.note(id, act)
  expect(await createDesktopBoards(join(folder, 'desktops')).read(id)).toEqual({ isPaused: true, act })
  await boards.pause(id, false)
  expect(await boards.isPaused(id)).toBe(false)
})

it('is told of changes until it is enough, and forgets what is old', async () => {
  await boards.note(id, act)
  const old = join(folder, 'desktops', `${'b'.repeat(64)}.paused`)
  writeFileSync(old, '')
  utimesSync(old, 0, 0)
  const seen: string[] = []
  const stop = new AbortController()
  const following = boards.follow((changed) => seen.push(changed), stop.signal)
  await vi.waitFor(async () => {
    await boards.pause(id, true)
    await boards.pause(id, false)
    expect(seen).toContain(id)
  })
  expect(await readdir(join(folder, 'desktops'))).toEqual([`${id}.act`])
  stop.abort()
  await following
})

it('follows no link and takes nothing else for an act', async () => {
  await boards.note(id, act)
  const other = 'c'.repeat(64)
  symlinkSync(join(folder, 'desktops', `${id}.act`), join(folder, 'desktops', `${other}.act`))
  expect((await boards.read(other)).act).toBeNull()
  writeFileSync(join(folder, 'desktops', `${id}.act`), '{"tool":1}')
  expect((await boards.read(id)).act).toBeNull()
})

it('does not fail where nothing can be written', async () => {
  writeFileSync(join(folder, 'file'), '')
  await createDesktopBoards(join(folder, 'file')).note(id, act)
})
