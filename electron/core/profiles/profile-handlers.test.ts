import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CallContext, Handlers } from '../../../shared/contract/contract.ts'
import { parseProfile } from '../../../shared/domain/profile-form/profile-form.ts'
import { createProfileHandlers, withPlainRefusals } from './profile-handlers.ts'

const bundled = fileURLToPath(new URL('../../../profiles', import.meta.url))
const context: CallContext = { signal: new AbortController().signal, onProgress: () => {} }
let root: string
let user: string
let handlers: ReturnType<typeof createProfileHandlers>
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'profile-handlers-test-')))
  user = join(root, 'profiles')
  vi.stubEnv('XDG_DATA_HOME', join(root, 'data'))
  handlers = createProfileHandlers({ folders: { bundled, user, readings: join(root, 'readings') }, imageFacts: async () => new Map(), baseCandidates: async (image) => [image], environment: process.env })
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true, force: true })
})

type Name = keyof typeof handlers
const call = <N extends Name>(name: N, input: Parameters<Handlers[N]>[0]) => (handlers[name] as unknown as (input: unknown, context: CallContext) => ReturnType<Handlers[N]>)(input, context)
const refusal = async (promise: Promise<unknown>) => promise.then(() => 'it worked', (error: { report?: { code: string; message: string } }) => error.report ?? error)
/** Writes a file under the test's own folder. */
function write(path: string, text: string | Buffer): string {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
  return join(root, path)
}
const profile = (name: string, text = 'FROM localhost/paddock:latest\n') => write(`profiles/${name}/Containerfile`, text)
const leftovers = () => (existsSync(user) ? readdirSync(user).filter((name) => name.startsWith('.')) : [])
afterEach(() => expect(leftovers()).toEqual([]))

describe('open and save', () => {
  it('gives the text, and the label that the profiles below hand down', async () => {
    profile('web', 'FROM localhost/paddock:minimal\nRUN true\n')
    const opened = await call('profile.open', { name: 'web' })
    expect(opened).toMatchObject({ name: 'web', source: 'user', file: join(user, 'web/Containerfile'), text: 'FROM localhost/paddock:minimal\nRUN true\n' })
    expect(parseProfile(opened.text, opened).values.ramMib).toMatchObject({ value: 2048, isInherited: true })
  })

  it('writes a text that is still the same, byte order mark and all, and keeps its rights', async () => {
    const file = profile('web', '\uFEFFFROM a:1\r\n')
    chmodSync(file, 0o640)
    const { text, hash } = await call('profile.open', { name: 'web' })
    const saved = await call('profile.save', { name: 'web', text: `${text}ENV A=b\r\n`, hash })
    expect(saved).toMatchObject({ kind: 'saved', isCopy: false, file })
    expect(readFileSync(file, 'utf8')).toBe('\uFEFFFROM a:1\r\nENV A=b\r\n')
    expect(statSync(file).mode & 0o777).toBe(0o640)
    expect(saved).toMatchObject({ hash: (await call('profile.open', { name: 'web' })).hash })
  })

  it('refuses to take the place of a change from outside, and gives both texts back', async () => {
    const file = profile('web')
    const { hash } = await call('profile.open', { name: 'web' })
    writeFileSync(file, 'FROM theirs:1\n')
    const conflict = await call('profile.save', { name: 'web', text: 'FROM mine:1\n', hash })
    expect(conflict).toMatchObject({ kind: 'conflict', mine: 'FROM mine:1\n', theirs: 'FROM theirs:1\n' })
    expect(readFileSync(file, 'utf8')).toBe('FROM theirs:1\n')
    expect(await call('profile.save', { name: 'web', text: 'FROM both:1\n', hash: conflict.hash })).toMatchObject({ kind: 'saved' })
    rmSync(file)
    expect(await call('profile.save', { name: 'web', text: 'FROM mine:1\n', hash })).toMatchObject({ kind: 'conflict', theirs: null, hash: '' })
  })

  it('writes what is only kept in the editor again where the folder is gone, and only then', async () => {
    const file = profile('web')
    const { hash } = await call('profile.open', { name: 'web' })
    rmSync(join(user, 'web'), { recursive: true })
    expect(await refusal(call('profile.save', { name: 'web', text: 'FROM mine:1\n', hash }))).toMatchObject({ code: 'profile-unknown' })
    expect(await call('profile.save', { name: 'web', text: 'FROM mine:1\n', hash: '' })).toMatchObject({ kind: 'saved', isCopy: false, file })
    expect(readFileSync(file, 'utf8')).toBe('FROM mine:1\n')
    expect(await refusal(call('profile.save', { name: '../odd', text: 'FROM mine:1\n', hash: '' }))).toMatchObject({ code: 'profile-refused' })
    expect(await call('profile.save', { name: 'web', text: 'FROM other:1\n', hash: '' })).toMatchObject({ kind: 'conflict' })
  })

  it('saves a bundled profile as a copy of the person’s own, which then counts', async () => {
    const { text, hash, source } = await call('profile.open', { name: 'minimal' })
    expect(source).toBe('bundled')
    const before = readFileSync(join(bundled, 'minimal/Containerfile'), 'utf8')
    expect(await call('profile.save', { name: 'minimal', text: `${text}# mine\n`, hash })).toMatchObject({ kind: 'saved', isCopy: true, file: join(user, 'minimal/Containerfile') })
    expect(readFileSync(join(bundled, 'minimal/Containerfile'), 'utf8')).toBe(before)
    expect(readFileSync(join(user, 'minimal/entrypoint'))).toEqual(readFileSync(join(bundled, 'minimal/entrypoint')))
    expect(await call('profile.open', { name: 'minimal' })).toMatchObject({ source: 'user', text: `${text}# mine\n` })
    expect(await call('profile.customize', { name: 'minimal' })).toEqual({ file: join(user, 'minimal/Containerfile'), isCopy: false })
  })

  it.each<[what: string, make: (file: string) => void, why: RegExp]>([
    ['a link', (file) => symlinkSync('/etc/passwd', file), /it is a link/],
    ['a folder', (file) => mkdirSync(file), /it is no file/],
    ['something huge', (file) => writeFileSync(file, Buffer.alloc(1024 * 1024 + 1, 'a')), /bytes/],
    ['a program', (file) => writeFileSync(file, Buffer.from('\u007fELF\0\0')), /it is no text/],
    ['another encoding', (file) => writeFileSync(file, Buffer.from([0x46, 0xff, 0xfe])), /not in UTF-8/],
  ])('refuses %s in place of the Containerfile', async (_what, make, why) => {
    mkdirSync(join(user, 'odd'), { recursive: true })
    make(join(user, 'odd/Containerfile'))
    expect(await refusal(call('profile.open', { name: 'odd' }))).toMatchObject({ code: 'profile-refused', message: expect.stringMatching(why) })
    expect(await refusal(call('profile.save', { name: 'odd', text: 'FROM a:1\n', hash: '' }))).toMatchObject({ code: 'profile-refused' })
  })
})

it('lints what the text and the folder tell together', async () => {
  profile('web', 'FROM node:24\nCOPY here gone lib/*.js /x/\nCOPY ["a b", "/x/"]\nCOPY --from=other /y /\nRUN npm i -g pnpm\n')
  write('profiles/web/here', '')
  const { file, findings } = await call('profile.lint', { name: 'web' })
  expect(file).toBe(join(user, 'web/Containerfile'))
  expect(findings.map(({ line, column, rule }) => [line, column, rule])).toEqual([[2, 11, 'missing-file'], [2, 16, 'missing-file'], [3, 7, 'missing-file'], [5, 14, 'npm-unpinned']])
  expect((await call('profile.lint', { name: 'web', text: 'FROM a\n' })).findings).toMatchObject([{ rule: 'latest' }])
})

it('tells what a text that is being written would inherit, and remembers nothing of it', async () => {
  profile('web')
  const inherited = async (text: string) => (await call('profile.lint', { name: 'web', text })).inheritedLabel
  expect(await inherited('ARG B=localhost/paddock:minimal\nFROM ${B}\n')).toContain('krun.ram_mib=2048')
  expect(await inherited('FROM localhost/paddock:latest AS one\nFROM one\n')).toContain('krun.ram_mib=8192')
  expect(await inherited('FROM node:24.1\n')).toBeNull()
  expect(await inherited('FROM localhost/paddock:web\n')).toBeNull()
  const remembered = readdirSync(join(root, 'readings')).length
  expect(await inherited('FROM localhost/paddock:minimal\n# another\n')).toContain('krun.ram_mib=2048')
  expect(readdirSync(join(root, 'readings'))).toHaveLength(remembered)
})

describe('new, duplicate, rename, remove, export', () => {
  it('makes a profile that adds to another', async () => {
    const { file } = await call('profile.create', { name: 'web', from: 'minimal' })
    expect(readFileSync(file, 'utf8')).toContain('FROM localhost/paddock:minimal\n')
    expect((await call('profile.lint', { name: 'web' })).findings).toEqual([])
  })

  it('duplicates with all files, their rights and the links that stay inside', async () => {
    profile('web')
    const tool = write('profiles/web/bin/tool', '#!/bin/sh\n')
    chmodSync(tool, 0o755)
    symlinkSync('bin/tool', join(user, 'web/link'))
    await call('profile.duplicate', { name: 'web', as: 'two' })
    expect(statSync(join(user, 'two/bin/tool')).mode & 0o777).toBe(0o755)
    expect(lstatSync(join(user, 'two/link')).isSymbolicLink()).toBe(true)
  })

  it('refuses a folder with a link out of it, and leaves nothing behind', async () => {
    profile('web')
    symlinkSync('../../secret', join(user, 'web/link'))
    expect(await refusal(call('profile.duplicate', { name: 'web', as: 'two' }))).toMatchObject({ code: 'profile-refused', message: expect.stringContaining('link out of the folder') })
    expect(readdirSync(user)).toEqual(['web'])
  })

  it.each(['', '.', '..', '../x', 'a/b', 'A', '-x', 'a b', 'x'.repeat(64), 'latest', 'a\n'])('refuses the name %j', async (name) => {
    profile('web')
    for (const attempt of [call('profile.create', { name }), call('profile.duplicate', { name: 'web', as: name }), call('profile.rename', { name: 'web', to: name })]) {
      expect(await refusal(attempt)).toMatchObject({ code: 'profile-refused' })
    }
    expect(readdirSync(root).sort()).toEqual(existsSync(join(root, 'readings')) ? ['profiles', 'readings'] : ['profiles'])
  })

  it('takes the place of nothing', async () => {
    profile('web')
    profile('two')
    for (const taken of ['two', 'default']) {
      expect(await refusal(call('profile.create', { name: taken }))).toMatchObject({ code: 'profile-exists' })
      expect(await refusal(call('profile.rename', { name: 'web', to: taken }))).toMatchObject({ code: 'profile-exists' })
    }
  })

  it('renames, and names what was built on the old name', async () => {
    profile('web')
    profile('top', 'FROM localhost/paddock:web\n')
    expect(await call('profile.rename', { name: 'web', to: 'site' })).toEqual({
      name: 'site', file: join(user, 'site/Containerfile'), notes: ['Profile top is built on web, which is not there any more.'],
    })
    expect(existsSync(join(user, 'web'))).toBe(false)
  })

  it('moves to the trash, from where it can be put back', async () => {
    const file = profile('web')
    const trash = join(root, 'data/Trash')
    expect(await call('profile.remove', { name: 'web' })).toEqual({ trash: join(trash, 'files/web'), notes: [] })
    expect(existsSync(file)).toBe(false)
    expect(readFileSync(join(trash, 'files/web/Containerfile'), 'utf8')).toContain('FROM')
    expect(readFileSync(join(trash, 'info/web.trashinfo'), 'utf8')).toMatch(new RegExp(`^\\[Trash Info\\]\nPath=${user}/web\nDeletionDate=\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\n$`))
    profile('web')
    await call('profile.remove', { name: 'web' })
    expect(readdirSync(join(trash, 'files')).sort()).toEqual(['web', 'web.2'])
    expect(readdirSync(join(trash, 'info')).sort()).toEqual(['web.2.trashinfo', 'web.trashinfo'])
  })

  it('neither renames nor removes what comes with Paddock, and says when that counts again', async () => {
    expect(await refusal(call('profile.rename', { name: 'minimal', to: 'x' }))).toMatchObject({ code: 'profile-refused' })
    expect(await refusal(call('profile.remove', { name: 'minimal' }))).toMatchObject({ code: 'profile-refused' })
    await call('profile.customize', { name: 'minimal' })
    expect(await call('profile.remove', { name: 'minimal' })).toMatchObject({ notes: ['The profile minimal that comes with Paddock counts again.'] })
  })

  it('exports into a folder, or as one', async () => {
    mkdirSync(join(root, 'out'))
    expect(await call('profile.export', { name: 'minimal', folder: join(root, 'out') })).toEqual({ folder: join(root, 'out/minimal') })
    expect(await call('profile.export', { name: 'minimal', folder: join(root, 'as') })).toEqual({ folder: join(root, 'as') })
    expect(readdirSync(join(root, 'as')).sort()).toEqual(['Containerfile', 'entrypoint'])
    expect(await refusal(call('profile.export', { name: 'minimal', folder: join(root, 'out') }))).toMatchObject({ code: 'profile-exists' })
  })
})

describe('import', () => {
  it('adds a number to a name that is taken, where that is wanted, and says so', async () => {
    profile('app')
    profile('app-2')
    const path = write('app/Containerfile', 'FROM debian:trixie\n')
    expect(await refusal(call('profile.import', { path }))).toMatchObject({ code: 'profile-exists' })
    expect(await call('profile.import', { path, isNumbered: true })).toMatchObject({ name: 'app-3', file: join(user, 'app-3/Containerfile'), notes: expect.arrayContaining(['There is a profile app already, so this one is named app-3.']) })
    const long = write(`${'x'.repeat(63)}/Containerfile`, 'FROM debian:trixie\n')
    await call('profile.import', { path: long })
    expect((await call('profile.import', { path: long, isNumbered: true })).name).toBe(`${'x'.repeat(58)}-2`)
  })

  it('takes a Containerfile with the files that it names, and adds what a sandbox needs', async () => {
    write('src/my-tool/Dockerfile', 'FROM debian:trixie-slim\nCOPY run.sh conf/*.ini /opt/\nCOPY . /all\nUSER nobody\nCMD ["x"]\n')
    write('src/my-tool/run.sh', 'x')
    write('src/my-tool/conf/a.ini', 'a')
    write('src/my-tool/other', 'o')
    const { name, notes } = await call('profile.import', { path: join(root, 'src/my-tool') })
    expect(name).toBe('my-tool')
    expect(readdirSync(join(user, name)).sort()).toEqual(['Containerfile', 'conf', 'paddock-entrypoint', 'run.sh'])
    expect(notes.join('\n')).toMatch(/COPY \. means the whole folder[\s\S]*CMD|CMD[\s\S]*COPY \. means the whole folder/)
    expect((await call('profile.lint', { name })).findings).toEqual([])
    expect(parseProfile((await call('profile.open', { name })).text).values).toMatchObject({ ramMib: { value: 8192 }, base: { value: 'debian:trixie-slim' } })
  })

  it('takes one that is built on a profile as it is', async () => {
    const file = write('src/Containerfile', 'FROM localhost/paddock:latest\nENV A=b\n')
    await call('profile.import', { path: file, name: 'web' })
    expect(readFileSync(join(user, 'web/Containerfile'), 'utf8')).toBe('FROM localhost/paddock:latest\nENV A=b\n')
  })

  it('takes a dev container', async () => {
    write('app/.devcontainer/devcontainer.json', `// words
      { "name": "My App", "build": { "dockerfile": "Dockerfile", "context": "..", "args": { "V": "2" } },
        "postCreateCommand": "npm ci", "forwardPorts": [3000], }`)
    write('app/.devcontainer/Dockerfile', 'ARG V=1\nFROM debian:trixie-slim\nARG V\nCOPY tool /usr/local/bin/\n')
    write('app/tool', '#!/bin/sh')
    const { name, notes } = await call('profile.import', { path: join(root, 'app') })
    expect(name).toBe('my-app')
    expect(notes.join('\n')).toContain('post-create')
    expect(readFileSync(join(user, name, 'post-create'), 'utf8')).toContain('npm ci\n')
    expect(existsSync(join(user, name, 'tool'))).toBe(true)
    const { text } = await call('profile.open', { name })
    expect(text).toMatch(/^ARG V=2\n/)
    expect((await call('profile.lint', { name })).findings.filter(({ level }) => level === 'error')).toEqual([])
  })

  it.each<[what: string, make: () => string, why: RegExp]>([
    ['nothing', () => join(root, 'nothing'), /does not exist/],
    ['a folder without either', () => dirname(write('src/x', '')), /it has none of/],
    ['a link', () => (mkdirSync(join(root, 'src')), symlinkSync('/etc/hostname', join(root, 'src/Containerfile')), join(root, 'src/Containerfile')), /it is a link/],
    ['a copied link', () => (symlinkSync('/etc/hostname', join(dirname(write('src/Containerfile', 'FROM a:1\nCOPY x /\n')), 'x')), join(root, 'src')), /it is a link/],
    ['a file behind a linked folder', () => (symlinkSync('/etc', join(dirname(write('src/Containerfile', 'FROM a:1\nCOPY x/hostname /\n')), 'x')), join(root, 'src')), /it is not in/],
    ['a dev container whose Dockerfile is elsewhere', () => write('app/.devcontainer/devcontainer.json', '{"build": {"dockerfile": "../../Dockerfile"}}'), /it is not in/],
    ['a dev container whose context is elsewhere', () => write('app/.devcontainer/devcontainer.json', '{"image": "a:1", "build": {"context": "/etc"}}'), /it is not in/],
    ['a dev container that is no JSON', () => write('app/devcontainer.json', '{"image": }'), /line 1: ValueExpected/],
    ['a dev container with odd values', () => write('app/devcontainer.json', '{"image": 3}'), /image has a value that does not fit/],
  ])('refuses %s, and leaves nothing behind', async (_what, make, why) => {
    const path = make()
    expect(await refusal(call('profile.import', { path, name: 'web' }))).toMatchObject({ code: 'profile-refused', message: expect.stringMatching(why) })
    expect(existsSync(join(user, 'web'))).toBe(false)
  })
})

it('tells of a folder that the person has closed as such, and of a defect as a defect', async () => {
  const failing = (error: Error) => withPlainRefusals({ 'profile.create': () => Promise.reject(error) } as never)['profile.create']({ name: 'x' }, null as never)
  const denied = Object.assign(new Error('EACCES: permission denied'), { code: 'EACCES', path: '/closed/profiles/x/Containerfile.123' })
  await expect(failing(denied)).rejects.toMatchObject({ report: { code: 'profile-refused', message: '/closed/profiles/x cannot be used: you may not write or read there (EACCES).' } })
  await expect(failing(new TypeError('oops'))).rejects.toThrow(TypeError)
})
