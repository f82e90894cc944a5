import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readBounded } from './read-bounded.ts'

const folder = mkdtempSync(join(tmpdir(), 'paddock-bounded-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string) => join(folder, name)

it('reads no more of a file than it may', async () => {
  writeFileSync(at('file'), 'abcdef')
  expect([await readBounded(at('file'), 4), await readBounded(at('file'), 100)]).toEqual(['abcd', 'abcdef'])
})

it('reads nothing of what is no file, and does not wait for it', async () => {
  execFileSync('mkfifo', [at('pipe')])
  mkdirSync(at('folder'))
  symlinkSync(at('file'), at('link'))
  symlinkSync('/dev/zero', at('endless'))
  expect(await Promise.all(['pipe', 'folder', 'link', 'endless', 'absent'].map((name) => readBounded(at(name), 100)))).toEqual(['', '', '', '', ''])
})
