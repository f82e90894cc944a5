import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { parseContainerfile } from './containerfile.ts'
import { fileInputs, type Inputs, sourceHash } from './inputs.ts'

let root: string
let folder: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'inputs-test-'))
  folder = join(root, 'mine')
  mkdirSync(folder)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))
function write(path: string, content = path, mode = 0o644) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
  chmodSync(join(folder, path), mode)
}
function inputs(...lines: string[]): Promise<Inputs> {
  const text = ['FROM a', ...lines].join('\n')
  write('Containerfile', text)
  const profile = { name: 'mine', image: 'localhost/paddock:mine', source: 'user' as const, folder }
  return fileInputs({ profile, text, containerfile: parseContainerfile(text), parents: [] })
}
const names = async (...lines: string[]) => Object.keys(await inputs(...lines)).map((name) => name.replace('file:', ''))

describe('which files count', () => {
  beforeEach(() => {
    for (const path of ['a', 'b.txt', 'dir/c', 'dir/deep/d', '.hidden', 'dir/.dot', 'brackets[1]', '..data/x', 'with space', 'unused']) write(path)
  })

  it.each<[line: string, files: string[]]>([
    ['RUN true', []],
    ['COPY a /', ['a']],
    ['COPY ./a /', ['a']],
    ['COPY /a /', ['a']],
    ['COPY ../a /', ['a']],
    ['COPY dir/../../a /', ['a']],
    ['COPY ../dir/c /', ['dir/c']],
    ['COPY dir /', ['dir/.dot', 'dir/c', 'dir/deep/d']],
    ['COPY dir/ /', ['dir/.dot', 'dir/c', 'dir/deep/d']],
    ['COPY *.txt /', ['b.txt']],
    ['COPY d* /', ['dir/.dot', 'dir/c', 'dir/deep/d']],
    ['COPY ?.[st]xt /', ['b.txt']],
    ['COPY [a-b]* /', ['a', 'b.txt', 'brackets[1]']],
    ['COPY dir/*/d /', ['dir/deep/d']],
    ['COPY brackets\\[1\\] /', ['brackets[1]']],
    ['COPY b.t+t b(txt /', []],
    ['COPY [z-a] /', []],
    ['COPY ["with space", "/"]', ['with space']],
    ['COPY brackets[1] /', ['brackets[1]']],
    ['COPY ..data /', ['..data/x']],
    ['COPY a dir/c /', ['a', 'dir/c']],
    ['COPY missing /', []],
    ['RUN --mount=type=bind,source=dir,target=/d true', ['dir/.dot', 'dir/c', 'dir/deep/d']],
    ['COPY . /', ['..data/x', '.hidden', 'a', 'b.txt', 'brackets[1]', 'dir/.dot', 'dir/c', 'dir/deep/d', 'unused', 'with space']],
    ['COPY --from=other dir /', []],
  ])('%s', async (line, files) => {
    expect(await names(line)).toEqual(['Containerfile', ...files])
  })

  it('are the ignore files too, once something is copied', async () => {
    write('.containerignore')
    expect(await names('COPY a /')).toEqual(['Containerfile', '.containerignore', 'a'])
    expect(await names('RUN true')).toEqual(['Containerfile'])
  })

  it.each(['COPY ../outside /', 'COPY dir/../../outside /', 'COPY .. /', 'COPY ../*side /', 'COPY /../outside /'])('are never ones outside of the profile’s folder: %s', async (line) => {
    writeFileSync(join(root, 'outside'), 'secret')
    const before = await inputs(line)
    writeFileSync(join(root, 'outside'), 'other')
    expect(await inputs(line)).toEqual(before)
  })
})

describe('what changes an input', () => {
  const input = async (path: string) => (await inputs('COPY . /'))[`file:${path}`]

  it('is the content', async () => {
    write('a', 'one')
    const before = await input('a')
    write('a', 'two')
    expect(await input('a')).not.toBe(before)
    write('a', 'one')
    expect(await input('a')).toBe(before)
  })

  it('is who may do what with it', async () => {
    write('a', 'same', 0o644)
    const seen = [await input('a')]
    for (const mode of [0o600, 0o755, 0o4755, 0o666]) {
      chmodSync(join(folder, 'a'), mode)
      seen.push(await input('a'))
    }
    expect(new Set(seen).size).toBe(5)
    chmodSync(join(folder, 'a'), 0o644)
    expect(await input('a')).toBe(seen[0])
  })

  it('is not the time', async () => {
    write('a')
    const before = await inputs('COPY . /')
    utimesSync(join(folder, 'a'), 1, 1)
    expect(await inputs('COPY . /')).toEqual(before)
  })

  it('is where a link points, not what lies there', async () => {
    writeFileSync(join(root, 'target'), 'one')
    symlinkSync('../target', join(folder, 'link'))
    const before = await input('link')
    writeFileSync(join(root, 'target'), 'two')
    expect(await input('link')).toBe(before)
    rmSync(join(folder, 'link'))
    symlinkSync('/dev/zero', join(folder, 'link'))
    expect(await input('link')).not.toBe(before)
  })

  it('is not what lies in a linked folder, which a build does not follow either', async () => {
    mkdirSync(join(root, 'elsewhere'))
    writeFileSync(join(root, 'elsewhere/x'), 'one')
    symlinkSync('../elsewhere', join(folder, 'link'))
    const before = await inputs('COPY . /')
    expect(Object.keys(before)).toEqual(['file:Containerfile', 'file:link'])
    writeFileSync(join(root, 'elsewhere/x'), 'two')
    expect(await inputs('COPY . /')).toEqual(before)
  })
})

describe('sourceHash', () => {
  it('does not depend on the order, and does on every name and value', () => {
    const hash = sourceHash({ 'file:a': '1', 'file:b': '2' })
    expect(hash).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(sourceHash({ 'file:b': '2', 'file:a': '1' })).toBe(hash)
    const others: Inputs[] = [{ 'file:a': '1' }, { 'file:a': '2', 'file:b': '1' }, { 'file:a': '1', 'file:c': '2' }, { 'file:a': '12', 'file:b': '' }, {}]
    expect(new Set([hash, ...others.map(sourceHash)]).size).toBe(others.length + 1)
  })
})
