import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hasDisplay, xauthority } from './display.mjs'
import { demandIntegrity } from './fallback.mjs'
import { fallbackFolder, isFallbackCurrent, placeOf, stampFallback } from './fallback-files.mjs'
import { findOwnRuntime, hasFailedLately, watchGrowth } from './own-runtime.mjs'
import { findElectron } from './runtime.mjs'

let root
let paths
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'paddock electron-'))
  paths = { cache: join(root, 'cache') }
})
afterEach(() => rmSync(root, { recursive: true }))

const write = (path, content = '') => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), content)
}

function installOwn(version = '45.0.0') {
  write('node_modules/electron/package.json', '{"version":"45.0.0"}')
  write('node_modules/electron/dist/version', version)
  write('node_modules/electron/dist/electron')
  write('node_modules/electron/path.txt', 'electron')
}

function makeFallback() {
  mkdirSync(fallbackFolder(paths), { recursive: true })
  stampFallback(fallbackFolder(paths))
}

describe('the Electron that is used', () => {
  it('is none on a fresh clone', () => {
    expect(findElectron(root, paths, {})).toBeUndefined()
  })

  it('is the person’s choice, then Electron’s own, then the fallback', () => {
    makeFallback()
    expect(findElectron(root, paths, {})).toBe(fallbackFolder(paths))
    installOwn()
    expect(findElectron(root, paths, {})).toBe(join(root, 'node_modules/electron/dist'))
    write('chosen/electron')
    expect(findElectron(root, paths, { ELECTRON_OVERRIDE_DIST_PATH: join(root, 'chosen') })).toBe(join(root, 'chosen'))
  })

  it('is not another one when the person’s choice is wrong', () => {
    installOwn()
    expect(findElectron(root, paths, { ELECTRON_OVERRIDE_DIST_PATH: join(root, 'nowhere') })).toBeUndefined()
  })

  it('is no half unpacked one, and none of another version', () => {
    installOwn('44.0.0')
    expect(findOwnRuntime(root)).toBeUndefined()
    installOwn()
    rmSync(join(root, 'node_modules/electron/path.txt'))
    expect(findOwnRuntime(root)).toBeUndefined()
  })
})

describe('a failed download', () => {
  it('is tried again after a day', () => {
    installOwn()
    expect(hasFailedLately(root)).toBe(false)
    const file = join(root, 'node_modules/electron/.paddock-download-failed')
    writeFileSync(file, '')
    expect(hasFailedLately(root)).toBe(true)
    const yesterday = Date.now() / 1000 - 24 * 60 * 60 - 1
    utimesSync(file, yesterday, yesterday)
    expect(hasFailedLately(root)).toBe(false)
  })

  it('is one that brings nothing for a while, not one that is slow', () => {
    vi.useFakeTimers()
    const growth = watchGrowth([join(root, 'later'), root], 20_000)
    for (let size = 1; size <= 8; size += 1) {
      write('download', 'x'.repeat(size))
      vi.advanceTimersByTime(15_000)
    }
    expect(growth.hasStalled.aborted).toBe(false)
    vi.advanceTimersByTime(10_000)
    expect(growth.hasStalled.aborted).toBe(true)
    growth.end()
    vi.useRealTimers()
  })
})

describe('the fallback', () => {
  it('is made of Electron’s own files, without the test runner', () => {
    expect(placeOf('Cypress/Cypress')).toBe('electron')
    expect(placeOf('Cypress/locales/de.pak')).toBe('locales/de.pak')
    expect(placeOf('Cypress/resources.pak')).toBe('resources.pak')
    for (const name of [
      'Cypress/',
      'Cypress/resources/app/index.js',
      'Cypress/browser_v8_context_snapshot.bin',
      'other',
    ])
      expect(placeOf(name)).toBeUndefined()
  })

  it('is refused when its content is another than was looked at', async () => {
    write('empty')
    const empty = 'sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=='
    await demandIntegrity(join(root, 'empty'), empty)
    write('empty', 'not quite')
    await expect(demandIntegrity(join(root, 'empty'), empty)).rejects.toThrow('not what it should be')
  })

  it('is made again after another recipe', () => {
    makeFallback()
    expect(isFallbackCurrent(fallbackFolder(paths))).toBe(true)
    writeFileSync(join(fallbackFolder(paths), 'recipe'), '0\n')
    expect(isFallbackCurrent(fallbackFolder(paths))).toBe(false)
  })
})

describe('the display', () => {
  it('is the person’s, by X11 or Wayland', () => {
    expect(hasDisplay({ DISPLAY: ':0' })).toBe(true)
    expect(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' })).toBe(true)
    expect(hasDisplay({ DISPLAY: '' })).toBe(false)
  })

  it('asks for a cookie that counts for every address and number', () => {
    expect(xauthority(Buffer.alloc(16, 7)).toString('latin1')).toBe(
      `\xff\xff\0\0\0\0\0\x12MIT-MAGIC-COOKIE-1\0\x10${'\x07'.repeat(16)}`,
    )
  })
})
