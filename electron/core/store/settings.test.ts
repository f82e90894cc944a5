import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSettings, saveSettings } from './settings.ts'
import { writeJson } from './write-json.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-test-'))
  file = join(folder, 'settings.json')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const message = (text: string) => ({ report: { code: 'settings-invalid', message: text } })

describe('loadSettings', () => {
  it('has nothing set where there is no file', async () => {
    expect(await loadSettings(file, {})).toEqual({ settings: {}, warnings: [] })
  })

  it('reads the file, and lets PADDOCK_* win key by key', async () => {
    writeFileSync(file, '{"isolation": "container", "baseImage": "a"}')
    expect((await loadSettings(file, {})).settings).toEqual({ isolation: 'container', baseImage: 'a' })
    expect((await loadSettings(file, { PADDOCK_ISOLATION: 'microvm' })).settings).toEqual({ isolation: 'microvm', baseImage: 'a' })
    expect((await loadSettings(file, { PADDOCK_BASE_IMAGE: 'b', PADDOCK_ISOLATION: '' })).settings).toEqual({ isolation: 'container', baseImage: 'b' })
  })

  it.each([
    ['{"isolatoin": "container"}', () => `${file}: "isolatoin" is not a setting.`],
    ['{"isolation": "vm"}', () => `${file}: "isolation" must be one of: microvm, container.`],
    ['{"baseImage": 3}', () => `${file}: "baseImage" has a value that does not fit.`],
    ['{"baseImage": ""}', () => `${file}: "baseImage" has a value that does not fit.`],
    ['{"isolation": null}', () => `${file}: "isolation" must be one of: microvm, container.`],
    ['[]', () => `${file} must hold an object.`],
    ['null', () => `${file} must hold an object.`],
    ['"container"', () => `${file} must hold an object.`],
  ])('names what is wrong in %s', async (text, expected) => {
    writeFileSync(file, text)
    await expect(loadSettings(file, {})).rejects.toMatchObject(message(expected()))
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it('names the variable whose value is wrong', async () => {
    await expect(loadSettings(file, { PADDOCK_ISOLATION: 'none' })).rejects.toMatchObject(message('PADDOCK_ISOLATION must be one of: microvm, container.'))
  })

  it.each(['', '{', '{"isolation": "contai', '\0\0\0', '{"isolation": "container"}}'])('sets a damaged file aside, named, and starts afresh: %j', async (text) => {
    writeFileSync(file, text)
    const { settings, warnings } = await loadSettings(file, {})
    expect(settings).toEqual({})
    const [aside, ...others] = readdirSync(folder)
    expect(others).toEqual([])
    expect(aside).toMatch(/^settings\.json\.damaged-/)
    expect(readFileSync(join(folder, aside!), 'utf8')).toBe(text)
    expect(warnings).toEqual([expect.stringContaining(join(folder, aside!))])
    expect(await loadSettings(file, {})).toEqual({ settings: {}, warnings: [] })
  })

  it('does not take a folder in its place for a missing file', async () => {
    await expect(loadSettings(folder, {})).rejects.toMatchObject({ report: { code: 'settings-invalid', message: expect.stringContaining('cannot be read') } })
  })
})

describe('saveSettings', () => {
  it('makes file and folder for this account only, and keeps the other settings', async () => {
    const deep = join(folder, 'a/b/settings.json')
    await saveSettings(deep, { baseImage: 'x' })
    expect(await saveSettings(deep, { isolation: 'container' })).toEqual({ baseImage: 'x', isolation: 'container' })
    expect((await loadSettings(deep, {})).settings).toEqual({ baseImage: 'x', isolation: 'container' })
    expect(statSync(deep).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'a/b')).mode & 0o777).toBe(0o700)
  })

  it('goes back to the default for what is set to nothing', async () => {
    await saveSettings(file, { baseImage: 'x', theme: 'dark' })
    await saveSettings(file, { baseImage: undefined })
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ theme: 'dark' })
  })

  it('loses none of several changes at once', async () => {
    rmSync(file, { force: true })
    await Promise.all([...[9, 10, 11, 12].map((terminalFontSize) => saveSettings(file, { terminalFontSize })), saveSettings(file, { tray: false })])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ terminalFontSize: 12, tray: false })
  })

  it('names the damaged file that it sets aside', async () => {
    writeFileSync(file, '{"theme": "da')
    const warnings: string[] = []
    await saveSettings(file, { tray: false }, (text) => warnings.push(text))
    expect(warnings).toEqual([expect.stringContaining(`${file}.damaged-`)])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ tray: false })
  })

  it('leaves a file that it does not understand as it is', async () => {
    writeFileSync(file, '{"future": 1}')
    await expect(saveSettings(file, { isolation: 'container' })).rejects.toMatchObject(message(`${file}: "future" is not a setting.`))
    expect(readFileSync(file, 'utf8')).toBe('{"future": 1}')
  })
})

it('writeJson never shows a reader a part, and leaves no file besides', async () => {
  const value = (n: number) => ({ n, text: 'x'.repeat(200_000) })
  await writeJson(file, value(0))
  let isWriting = true
  const seen = new Set<number>()
  const reader = (async () => {
    while (isWriting) {
      seen.add((JSON.parse(readFileSync(file, 'utf8')) as { n: number }).n)
      await new Promise((resolve) => setImmediate(resolve))
    }
  })()
  for (let n = 1; n <= 20; n++) await writeJson(file, value(n))
  isWriting = false
  await reader
  expect(seen.size).toBeGreaterThan(1)
  expect(readdirSync(folder)).toEqual(['settings.json'])
})
