import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createMachineHosts } from './machine-hosts.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paddock-machine-'))
  mkdirSync(join(folder, 'bin'))
  mkdirSync(join(folder, 'apt/sources.list.d'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

const hosts = () => createMachineHosts({ PATH: `${join(folder, 'bin')}:/usr/bin:/bin` }, join(folder, 'apt'))
function npmSays(text: string): void {
  writeFileSync(join(folder, 'bin/npm'), `#!/bin/sh\necho '${text}'\n`)
  chmodSync(join(folder, 'bin/npm'), 0o755)
}

it('are the registry that npm is set to', async () => {
  npmSays('https://npm.company.example:8443/path/')
  expect(await hosts().of(['npm'])).toEqual({ npm: ['npm.company.example'], apt: [] })
})

it('are not asked for in a folder that a sandbox can write, whose .npmrc npm would read', async () => {
  npmSays('')
  writeFileSync(join(folder, 'bin/npm'), '#!/bin/sh\n[ "$PWD" = / ] && echo https://npm.example/ || echo https://project.example/\n')
  expect(await hosts().of(['npm'])).toEqual({ npm: ['npm.example'], apt: [] })
})

it('are the archives of apt in both formats, each once, and none that is off', async () => {
  writeFileSync(join(folder, 'apt/sources.list'), 'deb [signed-by=/k] http://a.example/debian trixie main\n# deb http://off.example/ x y\ndeb-src http://source.example/ x y\ndeb http://a.example/security x y\n')
  writeFileSync(join(folder, 'apt/sources.list.d/b.sources'), 'Types: deb\nURIs: https://b.example/debian\nSuites: x\n')
  writeFileSync(join(folder, 'apt/sources.list.d/c.list.disabled'), 'deb http://disabled.example/ x y\n')
  expect(await hosts().of(['apt'])).toEqual({ npm: [], apt: ['a.example', 'b.example'] })
})

it('are none where npm says nothing of use, or apt has no sources', async () => {
  npmSays('undefined')
  expect(await hosts().of(['npm', 'apt'])).toEqual({ npm: [], apt: [] })
})
