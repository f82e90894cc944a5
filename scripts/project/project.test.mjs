import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isBuildCurrent } from './build.mjs'
import { areDependenciesCurrent, explainNpm } from './dependencies.mjs'
import { hashInputs } from './hash-inputs.mjs'
import { parseNpmSettings } from './npm-settings.mjs'
import { hasStamp, writeStamp } from './stamp.mjs'

let root
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'paddock-project-'))
})
afterEach(() => rmSync(root, { recursive: true }))

describe('the hash of inputs', () => {
  it('changes with a name and with a content, and not with order or with what is not there', () => {
    mkdirSync(join(root, 'src'))
    writeFileSync(join(root, 'src/a'), 'one')
    const first = hashInputs(root, ['src', 'missing'])
    expect(hashInputs(root, ['missing', 'src'])).toBe(first)
    writeFileSync(join(root, 'src/b'), '')
    const second = hashInputs(root, ['src'])
    expect(second).not.toBe(first)
    writeFileSync(join(root, 'src/a'), 'two')
    expect(hashInputs(root, ['src'])).not.toBe(second)
  })
})

describe('what is current', () => {
  it('is nothing on a fresh clone', () => {
    expect(areDependenciesCurrent(root)).toBe(false)
    expect(isBuildCurrent(root)).toBe(false)
  })

  it('is what a stamp says, exactly', () => {
    const file = join(root, 'stamp')
    writeStamp(file, 'abc')
    expect(hasStamp(file, 'abc')).toBe(true)
    expect(hasStamp(file, 'ab')).toBe(false)
  })
})

describe('npm', () => {
  it('settings that reach the registry become variables', () => {
    const text =
      'registry=https://npm.example/\ncafile=/ca.pem\nproxy=null\nhttps-proxy=undefined\nnoproxy=\nstrict-ssl=true\nnodedir=/usr\nprefix=/usr'
    expect(parseNpmSettings(text)).toEqual({
      npm_config_registry: 'https://npm.example/',
      npm_config_cafile: '/ca.pem',
      npm_config_strict_ssl: 'true',
      npm_config_nodedir: '/usr',
    })
  })

  it.each([
    ['npm error code ECONNREFUSED', /registry cannot be reached/],
    ['npm error code SELF_SIGNED_CERT_IN_CHAIN', /certificate is not trusted/],
    ['npm error code E401', /log-in/],
    ['npm error code EUSAGE', /do not belong together/],
    ['gyp ERR! stack', /python3, make and g\+\+/],
    ['something else', /same command again/],
  ])('failure %j says what to do', (output, advice) => {
    expect(explainNpm(output)).toMatch(advice)
  })
})
