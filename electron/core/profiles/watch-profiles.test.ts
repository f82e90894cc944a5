import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ProfilesWatch, watchProfiles } from './watch-profiles.ts'

let root: string
let folder: string
let told: number
let watching: ProfilesWatch

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'watch-profiles-'))
  folder = join(root, 'config/profiles')
  told = 0
})
afterEach(() => {
  watching.close()
  rmSync(root, { recursive: true })
})

const begin = () => (watching = watchProfiles(folder, () => void told++)).begun
async function isTold(change: () => void): Promise<void> {
  const before = told
  change()
  for (const end = Date.now() + 10_000; told === before; await sleep(5)) if (Date.now() > end) throw new Error('It was not told.')
}
it('tells of a profile that comes, that is edited in place or anew, and that goes', async () => {
  mkdirSync(folder, { recursive: true })
  await begin()
  const profile = join(folder, 'mine')
  await isTold(() => mkdirSync(profile))
  await isTold(() => writeFileSync(join(profile, 'Containerfile'), 'FROM a'))
  await isTold(() => writeFileSync(join(profile, 'Containerfile'), 'FROM b'))
  await isTold(() => {
    writeFileSync(join(profile, '.Containerfile.swp'), 'FROM c')
    renameSync(join(profile, '.Containerfile.swp'), join(profile, 'Containerfile'))
  })
  await isTold(() => mkdirSync(join(profile, 'files/more'), { recursive: true }))
  await isTold(() => writeFileSync(join(profile, 'files/more/script'), 'true'))
  await isTold(() => rmSync(profile, { recursive: true }))
})

it('tells of a profile that was put in the place of another, and of one behind a link', async () => {
  mkdirSync(join(folder, 'mine'), { recursive: true })
  mkdirSync(join(root, 'dotfiles'))
  symlinkSync(join(root, 'dotfiles'), join(folder, 'linked'))
  await begin()
  await isTold(() => writeFileSync(join(root, 'dotfiles/Containerfile'), 'FROM a'))
  await isTold(() => {
    rmSync(join(folder, 'mine'), { recursive: true })
    mkdirSync(join(folder, 'mine'))
  })
  await isTold(() => writeFileSync(join(folder, 'mine/Containerfile'), 'FROM a'))
})

it('makes the folder, tells many writes once, and nothing after its end', async () => {
  await begin()
  const change = () => {
    for (let at = 0; at < 50; at++) writeFileSync(join(folder, `file-${at}`), 'x')
  }
  await isTold(change)
  expect(told).toBe(1)
  watching.close()
  // Another one hears of what it does not.
  let heard = 0
  watching = watchProfiles(folder, () => void heard++)
  await watching.begun
  change()
  for (const end = Date.now() + 10_000; heard === 0; await sleep(5)) if (Date.now() > end) throw new Error('It was not told.')
  expect(told).toBe(1)
})
