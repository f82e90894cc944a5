import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readDefinition } from './definition.ts'
import { findProfile, findProfiles, type ProfileFolders, readContainerfile } from './find-profiles.ts'

let root: string
let folders: ProfileFolders
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'profiles-test-'))
  folders = { bundled: join(root, 'bundled'), user: join(root, 'user'), readings: join(root, 'readings') }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))
function profile(place: 'bundled' | 'user', name: string, containerfile = 'FROM scratch\n') {
  mkdirSync(join(folders[place], name), { recursive: true })
  writeFileSync(join(folders[place], name, 'Containerfile'), containerfile)
}
const listed = async () => (await findProfiles(folders)).map(({ name, source, image }) => `${name} ${source} ${image}`)

describe('findProfiles', () => {
  it('lists default first, base last, and knows their images', async () => {
    for (const name of ['base', 'zsh', 'default', 'minimal']) profile('bundled', name)
    expect(await listed()).toEqual([
      'default bundled localhost/paddock:latest', 'minimal bundled localhost/paddock:minimal', 'zsh bundled localhost/paddock:zsh', 'base bundled localhost/paddock-base:latest',
    ])
  })

  it('lets a person’s own profile win over a bundled one of the same name', async () => {
    profile('bundled', 'minimal')
    profile('user', 'minimal')
    profile('user', 'mine')
    expect(await listed()).toEqual(['mine user localhost/paddock:mine', 'minimal user localhost/paddock:minimal'])
    expect((await findProfile(folders, 'minimal')).folder).toBe(join(folders.user, 'minimal'))
  })

  it('leaves out files and names that no image could have', async () => {
    profile('user', 'Upper')
    profile('user', '.hidden')
    profile('user', 'a b')
    profile('user', 'good')
    writeFileSync(join(folders.user, 'readme'), '')
    expect(await listed()).toEqual(['good user localhost/paddock:good'])
  })

  it('follows a link that a person made to a profile kept elsewhere', async () => {
    profile('bundled', 'elsewhere')
    mkdirSync(folders.user)
    symlinkSync(join(folders.bundled, 'elsewhere'), join(folders.user, 'linked'))
    expect(await listed()).toContain('linked user localhost/paddock:linked')
  })

  it('is empty where there are no folders, and says so when asked for one', async () => {
    expect(await findProfiles(folders)).toEqual([])
    await expect(findProfile(folders)).rejects.toMatchObject({ report: { code: 'profile-unknown', message: 'There is no profile "default".', hint: expect.stringContaining('none') } })
  })
})

describe('a folder "latest"', () => {
  it.each(['user', 'bundled'] as const)('of the %s takes over every spelling of the default profile', async (place) => {
    profile('bundled', 'default')
    profile('user', 'default')
    profile(place, 'latest')
    for (const name of [undefined, 'default', 'latest']) {
      expect(await findProfile(folders, name)).toEqual({ name: 'default', image: 'localhost/paddock:latest', source: 'user', folder: join(folders[place], 'latest') })
    }
    expect(await listed()).toEqual(['default user localhost/paddock:latest'])
  })

  it('of the person wins over a bundled one', async () => {
    profile('bundled', 'latest')
    profile('user', 'latest')
    expect((await findProfile(folders)).folder).toBe(join(folders.user, 'latest'))
  })

  it('is an unknown profile when there is none', async () => {
    profile('bundled', 'default')
    profile('bundled', 'minimal')
    await expect(findProfile(folders, 'latest')).rejects.toMatchObject({
      report: { code: 'profile-unknown', message: 'There is no profile "latest".', hint: expect.stringContaining('default, minimal') },
    })
  })
})

describe('a profile that is broken', () => {
  it('is listed, and named when it is read: no Containerfile', async () => {
    mkdirSync(join(folders.user, 'empty'), { recursive: true })
    const found = await findProfile(folders, 'empty')
    await expect(readContainerfile(found)).rejects.toMatchObject({ report: { code: 'profile-broken', message: expect.stringContaining('Containerfile is missing') } })
  })

  it('is named with the line that does not parse', async () => {
    profile('user', 'typo', 'FROM a\nCOPPY x /\n')
    await expect(readDefinition(await findProfile(folders, 'typo'), folders, {})).rejects.toMatchObject({
      report: { code: 'profile-broken', message: 'Profile "typo" is broken: line 2: COPPY is not an instruction.' },
    })
    // What was read once is remembered; a failure must not be.
    await expect(readDefinition(await findProfile(folders, 'typo'), folders, {})).rejects.toMatchObject({ report: { code: 'profile-broken' } })
  })

  it('is named when it is built on a profile that does not exist', async () => {
    profile('user', 'child', 'FROM localhost/paddock:gone\n')
    await expect(readDefinition(await findProfile(folders, 'child'), folders, {})).rejects.toMatchObject({ report: { message: expect.stringContaining('profile "gone", which does not exist') } })
  })
})

describe('readDefinition', () => {
  it('finds the profiles below, by their images', async () => {
    profile('bundled', 'base', 'FROM debian\n')
    profile('user', 'tools', 'FROM paddock-base\n')
    profile('user', 'child', 'FROM localhost/paddock:tools\nCOPY --from=localhost/paddock-base:latest /x /\n')
    const { parents } = await readDefinition(await findProfile(folders, 'child'), folders, {})
    expect(parents.map(({ name }) => name)).toEqual(['tools', 'base'])
  })

  it('does not need a place to remember readings', async () => {
    profile('user', 'mine', 'FROM a\n')
    writeFileSync(folders.readings, 'no folder')
    expect((await readDefinition(await findProfile(folders, 'mine'), folders, {})).containerfile.base).toBe('a')
  })

  it('reads what stands in the file now, not what stood there before', async () => {
    profile('user', 'changing', 'ARG B=a\nFROM $B\nLABEL run="podman run IMAGE"\n')
    const read = async (args = {}) => (await readDefinition(await findProfile(folders, 'changing'), folders, args)).containerfile
    expect((await read()).base).toBe('a')
    expect((await read({ B: 'other' })).base).toBe('other')
    expect((await read()).labels).toEqual(new Map([['run', 'podman run IMAGE']]))
    expect((await read()).declaredArgs).toEqual(new Set(['B']))
    profile('user', 'changing', 'FROM b\n')
    expect(await read()).toEqual({ images: ['b'], base: 'b', declaredArgs: new Set(), copied: [], labels: new Map() })
  })
})

// A build reads its own folder only, so each bundled profile that starts from Debian has a copy; the tests of its root part run one.
it('the bundled profiles have one entrypoint, byte for byte', () => {
  const entrypoint = (profile: string) => readFileSync(new URL(`../../../profiles/${profile}/entrypoint`, import.meta.url), 'utf8')
  expect(entrypoint('base')).toBe(entrypoint('minimal'))
})
