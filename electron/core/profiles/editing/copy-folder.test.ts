import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { appear, copyFolder } from './copy-folder.ts'

let folder: string, source: string, place: string, outside: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paddock-copy-folder-'))
  ;[source, place, outside] = ['source', 'place', 'outside'].map((name) => join(folder, name)) as [string, string, string]
  for (const each of [source, place, outside]) mkdirSync(each)
  mkdirSync(join(source, 'files/deep'), { recursive: true })
  writeFileSync(join(source, 'Containerfile'), 'FROM x\n')
  writeFileSync(join(source, 'files/deep/run'), '#!/bin/sh\n', { mode: 0o755 })
  symlinkSync('deep/run', join(source, 'files/link'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const scratchOf = () => join(place, readdirSync(place).find((name) => name.startsWith('.'))!)

it('copies files, folders, rights and inner links, and leaves nothing beside', async () => {
  await copyFolder(source, join(place, 'copy'))
  expect(readdirSync(place)).toEqual(['copy'])
  expect(readFileSync(join(place, 'copy/files/link'), 'utf8')).toBe('#!/bin/sh\n')
  expect(statSync(join(place, 'copy/files/deep/run')).mode & 0o777).toBe(0o755)
  expect(lstatSync(join(place, 'copy/files/link')).isSymbolicLink()).toBe(true)
})

it('never takes the place of what is there, and leaves nothing beside', async () => {
  mkdirSync(join(place, 'copy'))
  writeFileSync(join(place, 'copy/mine'), '')
  await expect(copyFolder(source, join(place, 'copy'))).rejects.toMatchObject({ report: { code: 'profile-exists', message: `${join(place, 'copy')} exists already.` } })
  expect(readdirSync(place)).toEqual(['copy'])
})

it('writes nowhere else when a link takes the place of the folder that is filled, and says so', async () => {
  const filled = appear(join(place, 'copy'), async (made) => {
    renameSync(join(scratchOf(), 'new'), join(scratchOf(), 'old'))
    symlinkSync(outside, join(scratchOf(), 'new'))
    writeFileSync(made.at('Containerfile'), '')
  })
  await expect(filled).rejects.toMatchObject({ report: { message: expect.stringContaining('something else was put in its place') } })
  expect(readdirSync(outside)).toEqual([])
})

it('removes nothing elsewhere when a copy fails and a link lies in what is left of it', async () => {
  writeFileSync(join(outside, 'kept'), '')
  const failing = appear(join(place, 'copy'), async (made) => {
    mkdirSync(made.at('inner'))
    symlinkSync(outside, made.at('link'))
    throw new Error('enough')
  })
  await expect(failing).rejects.toThrow('enough')
  expect([readdirSync(place), readdirSync(outside)]).toEqual([[], ['kept']])
})

it('names the folder that a person knows when it cannot be written', async () => {
  const failing = appear(join(place, 'copy'), (made) => Promise.reject(Object.assign(new Error('no'), { code: 'EACCES', path: made.at('Containerfile') })))
  await expect(failing).rejects.toMatchObject({ path: join(place, 'copy/Containerfile') })
})
