import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createProjects, type Projects } from './projects.ts'

let folder: string
let file: string
let projects: Projects
const onChange = vi.fn()
const onDamaged = vi.fn()

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paddock-projects-'))
  file = join(folder, 'state/projects.json')
  projects = createProjects(file, onChange, onDamaged)
  onChange.mockClear()
  onDamaged.mockClear()
})
afterEach(() => rmSync(folder, { recursive: true }))

const make = (name: string) => {
  mkdirSync(join(folder, name), { recursive: true })
  return join(folder, name)
}
const names = async () => (await projects.list()).map(({ name }) => name)

describe('the list of projects', () => {
  it('is empty at first, and nothing is written for it', async () => {
    expect(await projects.list()).toEqual([])
    expect(readdirSync(folder)).toEqual([])
  })

  it('has the latest first and pinned ones before them, and survives a start', async () => {
    for (const name of ['a', 'b', 'c']) {
      vi.useFakeTimers({ now: Date.UTC(2026, 0, name.charCodeAt(0) - 96), toFake: ['Date'] })
      await projects.open(make(name), name === 'b' ? 'node' : undefined)
    }
    vi.useRealTimers()
    await projects.pin(join(folder, 'a'), true)
    expect(await names()).toEqual(['a', 'c', 'b'])
    projects = createProjects(file, onChange, onDamaged)
    expect(await projects.list()).toMatchObject([{ name: 'a', pinned: true }, { name: 'c' }, { name: 'b', lastProfile: 'node', exists: true }])
    expect(onChange).toHaveBeenCalledTimes(4)
  })

  it('opening again keeps the pin and the profile, and adds nothing', async () => {
    const a = make('a')
    await projects.open(a, 'node')
    await projects.pin(a, true)
    await projects.open(a)
    expect(await projects.list()).toMatchObject([{ folder: a, pinned: true, lastProfile: 'node' }])
  })

  it('says of a folder that it is gone, and keeps it', async () => {
    await projects.open(make('a'))
    rmSync(join(folder, 'a'), { recursive: true })
    writeFileSync(join(folder, 'a'), 'now a file')
    expect(await projects.list()).toMatchObject([{ name: 'a', exists: false }])
  })

  it('changes made at once are all kept', async () => {
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => projects.open(make(name))))
    expect((await names()).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('forgets what is removed; forgetting an unknown one succeeds', async () => {
    await projects.open(make('a'))
    await projects.remove(join(folder, 'a'))
    await projects.remove('/unknown')
    expect(await projects.list()).toEqual([])
  })

  it.each(['{', '{"a": 1}', '[{"folder": 1}]', ''])('sets a damaged file aside, names it, and starts afresh: %j', async (text) => {
    mkdirSync(join(folder, 'state'))
    writeFileSync(file, text)
    expect(await projects.list()).toEqual([])
    const aside = onDamaged.mock.calls[0]![0] as string
    expect(readFileSync(aside, 'utf8')).toBe(text)
    await projects.open(make('a'))
    expect(await names()).toEqual(['a'])
    expect(onDamaged).toHaveBeenCalledOnce()
  })

  it('two that find the damage at once set it aside once', async () => {
    mkdirSync(join(folder, 'state'))
    writeFileSync(file, '{')
    expect(await Promise.all([projects.list(), projects.list(), projects.open(make('a'))])).toMatchObject([[], [], undefined])
    expect(onDamaged).toHaveBeenCalledOnce()
  })

  it('remembers no more than 200, pinned ones aside', async () => {
    const at = '2020-01-01T00:00:00.000Z'
    const old = Array.from({ length: 250 }, (_, n) => ({ folder: `/p/${n}`, pinned: n === 249, lastProfile: null, lastOpenedAt: at }))
    mkdirSync(join(folder, 'state'))
    writeFileSync(file, JSON.stringify(old))
    await projects.open(make('new'))
    const kept = await projects.list()
    expect(kept).toHaveLength(200)
    expect(kept.slice(0, 2)).toMatchObject([{ folder: '/p/249', pinned: true }, { name: 'new' }])
  })
})
