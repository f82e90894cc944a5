import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { folderArgument } from './folder-argument.ts'

const cwd = mkdtempSync(join(tmpdir(), 'paddock-folder-'))
mkdirSync(join(cwd, 'my projëct'))
writeFileSync(join(cwd, 'file'), '')
afterAll(() => rmSync(cwd, { recursive: true }))
const folder = join(cwd, 'my projëct')

describe('the folder that the app was started with', () => {
  it.each([
    ['absolute', ['paddock', folder], true, folder],
    ['relative to where the person stands', ['paddock', 'my projëct'], true, folder],
    ['behind switches', ['paddock', '--no-first-run', folder], true, folder],
    ['of a start from the sources', ['electron', cwd, folder], false, folder],
    ['of a second start, with Chromium’s switches first', ['electron', '--user-data-dir=/x', '--allow-x', cwd, folder], false, folder],
    ['as an address, with its blank and umlaut escaped', ['paddock', pathToFileURL(folder).href], true, folder],
    ['none, since the address names another host', ['paddock', 'file://host/tmp'], true, null],
    ['none, since the address is malformed', ['paddock', 'file:///%zz'], true, null],
    ['none', ['paddock'], true, null],
    ['none from the sources', ['electron', cwd], false, null],
    ['none of a second start from the sources', ['electron', '--user-data-dir=/x', cwd], false, null],
    ['that is not there', ['paddock', join(cwd, 'none')], true, null],
    ['that is a file', ['paddock', join(cwd, 'file')], true, null],
  ])('%s', (_what, argv, isPackaged, expected) => {
    expect(folderArgument(argv, cwd, isPackaged)).toBe(expected)
  })
})
