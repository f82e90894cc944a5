import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDrafts } from './drafts.ts'

let folder: string
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'paddock-drafts-')), 'drafts')
})
afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

const draft = (profile: string, text = 'FROM b\n') => ({ profile, text, base: 'FROM a\n', hash: 'h' })

it('a draft is there for who comes later, and is gone when it is dropped', async () => {
  const drafts = createDrafts(folder)
  expect(await drafts.list()).toEqual([])
  await drafts.keep(draft('web', 'FROM b\r\n# ü\n'))
  await drafts.keep(draft('api'))
  const later = createDrafts(folder)
  expect(await later.list()).toEqual(['api', 'web'])
  expect(await later.open('web')).toEqual(draft('web', 'FROM b\r\n# ü\n'))
  await later.drop('web')
  await later.drop('web')
  expect(await later.open('web')).toBeNull()
})

it('what is dropped stays so, although it is still being written', async () => {
  const drafts = createDrafts(folder)
  await Promise.all([drafts.keep(draft('web')), drafts.keep(draft('web', 'FROM c\n')), drafts.drop('web')])
  expect(await drafts.list()).toEqual([])
})

it('the last one that was kept counts', async () => {
  const drafts = createDrafts(folder)
  await Promise.all(Array.from({ length: 20 }, (_, at) => drafts.keep(draft('web', `FROM ${at}\n`))))
  expect((await drafts.open('web'))?.text).toBe('FROM 19\n')
})

it('goes along with a renamed profile', async () => {
  const drafts = createDrafts(folder)
  await drafts.keep(draft('web'))
  await drafts.move('web', 'site')
  await drafts.move('none', 'other')
  expect(await drafts.list()).toEqual(['site'])
  expect(await drafts.open('site')).toEqual(draft('site'))
})

it('one that was damaged is set aside', async () => {
  const drafts = createDrafts(folder)
  await drafts.keep(draft('web'))
  writeFileSync(join(folder, 'web.json'), '{"profile": "we')
  expect(await drafts.open('web')).toBeNull()
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^web\.json\.damaged-/)])
  expect(await drafts.list()).toEqual([])
})

it('nothing is written outside of the folder, and no more than a Containerfile has', async () => {
  const drafts = createDrafts(folder)
  await expect(drafts.keep(draft('../web'))).rejects.toMatchObject({ report: { code: 'profile-refused' } })
  await expect(drafts.open('../../etc')).rejects.toMatchObject({ report: { code: 'profile-refused' } })
  await expect(drafts.keep(draft('web', 'x'.repeat(2 * 1024 * 1024)))).rejects.toMatchObject({ report: { code: 'profile-refused' } })
})
