import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findPaths, type Paths } from '../store/paths.ts'
import { openProject } from './open-project.ts'
import { prepareHomes } from './prepare-home.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'folders-test-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

describe('prepareHomes', () => {
  const homes = () => join(root, 'homes')
  const home = () => join(homes(), 'default')
  const prepare = (...sources: string[]) => prepareHomes(sources.map((source) => ({ flag: '--volume', value: `${source}:/home/ai:z` })), homes())

  it('makes a home for this account only, and in it the folder for the project', async () => {
    expect(await prepare(home())).toEqual([])
    expect(lstatSync(home()).mode & 0o777).toBe(0o700)
    expect(lstatSync(join(home(), 'sandbox')).isDirectory()).toBe(true)
  })

  it('leaves a home as it is', async () => {
    await prepare(home())
    writeFileSync(join(home(), 'sandbox/file'), 'x')
    expect(await prepare(home())).toEqual([])
    expect(readFileSync(join(home(), 'sandbox/file'), 'utf8')).toBe('x')
  })

  it.each<[what: string, plant: (place: string, target: string) => void]>([
    ['a link to a folder', (place, target) => symlinkSync(target, place)],
    ['a link to nothing', (place, target) => symlinkSync(join(target, 'absent'), place)],
    ['a file', (place) => writeFileSync(place, 'x')],
  ])('moves aside %s that an agent put in the place of the project, and follows nothing', async (_what, plant) => {
    const target = join(root, 'target')
    mkdirSync(target)
    mkdirSync(home(), { recursive: true })
    plant(join(home(), 'sandbox'), target)
    const [note, ...others] = await prepare(home())
    expect(others).toEqual([])
    expect(note).toContain('it was moved to')
    expect(lstatSync(join(home(), 'sandbox')).isDirectory()).toBe(true)
    expect(readdirSync(home())).toHaveLength(2)
    expect(readdirSync(target)).toEqual([])
  })

  it('follows no link inside another home', async () => {
    const target = join(root, 'target')
    mkdirSync(target)
    mkdirSync(home(), { recursive: true })
    symlinkSync(target, join(home(), 'link'))
    await prepare(home(), join(home(), 'link'), join(home(), 'link/deeper'))
    expect(readdirSync(target)).toEqual([])
  })

  it('makes nothing outside of the folder for homes', async () => {
    await prepare(join(root, 'elsewhere'), join(homes(), '../escape'), homes(), 'name')
    expect(readdirSync(root)).toEqual([])
  })

  it('knows a home with odd characters in its path, as --mount carries it', async () => {
    const odd = join(root, 'a,b:"c"')
    await prepareHomes([{ flag: '--mount', value: `type=bind,"source=${odd.replaceAll('"', '""')}/default",destination=/home/ai` }], odd)
    expect(existsSync(join(odd, 'default/sandbox'))).toBe(true)
  })

  it('stands two launches at the same moment', async () => {
    const both = await Promise.all(Array.from({ length: 8 }, () => prepare(home())))
    expect(both.flat()).toEqual([])
    expect(readdirSync(home())).toEqual(['sandbox'])
  })
})

describe('openProject', () => {
  let paths: Paths
  beforeEach(() => {
    const home = join(root, 'home')
    const own = { config: join(home, '.config/paddock'), data: join(home, '.local/share/paddock'), state: join(root, 'state/paddock'), cache: join(home, '.cache/paddock') }
    paths = { ...findPaths({}), home, ...own }
    for (const folder of [...Object.values(own), join(home, 'app')]) mkdirSync(folder, { recursive: true })
  })
  const app = () => join(paths.home, 'app')
  const refused = async (named: string, why: string | RegExp) => {
    await expect(openProject(named, paths.home, paths)).rejects.toMatchObject({ report: { code: 'project-refused', message: expect.stringMatching(why) } })
  }

  it('opens a folder by absolute and by relative path, links resolved', async () => {
    symlinkSync(app(), join(root, 'link'))
    for (const [named, cwd] of [[app(), '/'], ['app', paths.home], ['.', app()], ['../app/', app()], [join(root, 'link'), '/'], ['', app()]] as const) {
      expect(await openProject(named, cwd, paths)).toEqual({ folder: app(), notes: [] })
    }
  })

  it.each(['with space', 'a:b', 'a,b', "a'b", 'a"b', 'a\\b', 'a$b', 'a #b', 'a\nb', '-rf', 'grün', '日本', '🦊', '$HOME'])('opens a folder named %j', async (name) => {
    mkdirSync(join(app(), name))
    // macOS keeps names in another normal form.
    expect((await openProject(name, app(), paths)).folder.normalize()).toBe(join(app(), name).normalize())
  })

  it('refuses what would hand over too much', async () => {
    await refused('/', 'root of the file system')
    await refused('.', 'your home folder')
    await refused('..', 'holds your home folder')
    for (const folder of [paths.config, paths.data, paths.state, paths.cache]) {
      await refused(folder, /holds Paddock’s own folder/)
      mkdirSync(join(folder, 'inside'))
      await refused(join(folder, 'inside'), /lies inside Paddock’s own folder/)
    }
  })

  it('refuses the same through a link', async () => {
    symlinkSync(paths.home, join(root, 'to-home'))
    symlinkSync('/', join(root, 'to-root'))
    await refused(join(root, 'to-home'), 'your home folder')
    await refused(join(root, 'to-root'), 'root of the file system')
  })

  it('refuses what is no folder', async () => {
    writeFileSync(join(app(), 'file'), '')
    symlinkSync('absent', join(app(), 'dangling'))
    symlinkSync('loop', join(app(), 'loop'))
    await refused('app/file', 'it is not a folder')
    await refused('app/absent', 'it does not exist')
    await refused('app/dangling', 'it does not exist')
    await refused('app/loop', /it cannot be opened \(ELOOP\)/)
  })

  it('says so when the sandbox will not be able to write, and refuses what cannot be read', async () => {
    // Root may do everything, so there only the rest of this file counts.
    if (process.getuid!() === 0) return void expect((await openProject('app', paths.home, paths)).notes).toEqual([])
    chmodSync(app(), 0o500)
    expect((await openProject('app', paths.home, paths)).notes).toEqual([expect.stringContaining('You may not write')])
    chmodSync(app(), 0)
    await refused('app', 'you may not read it')
    chmodSync(app(), 0o700)
  })
})
