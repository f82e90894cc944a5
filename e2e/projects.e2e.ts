import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWorld, type World } from './harness.ts'

let world: World

beforeAll(async () => {
  world = createWorld('projects')
  const { code, stderr } = await world.paddock(['build', 'minimal'])
  expect(code, stderr).toBe(0)
})
afterAll(() => world.dispose())

describe('a project folder with an odd name', () => {
  const names = [
    'a space', 'a:colon', 'a,comma', "an'apostrophe", 'a"quote', 'a\\backslash', 'a$dollar', '$HOME', '${IMAGE}', 'a #hash', 'a\nnewline',
    '-leading-dash', '--privileged', 'café', 'プロジェクト', '🦊', ' edge spaces ', 'a=b', 'a;b', 'a%b', 'a:z', 'a,ro=true', 'IMAGE', '`x`', 'a\ttab',
    `all : , ' " \\ $ # é`,
  ]

  test.each(names.map((name) => [JSON.stringify(name), name]))('%s is the folder that the sandbox works in', async (_shown, name) => {
    const project = world.project(name)
    writeFileSync(join(project, 'given'), name)
    const { code, stdout, stderr } = await world.paddock(['run', 'minimal', '--project', project, '--', 'sh', '-c', 'cat given; echo back > made'])
    expect(code, stderr).toBe(0)
    expect(stdout).toBe(name)
    expect(readFileSync(join(project, 'made'), 'utf8')).toBe('back\n')
  })

  test('the folder that one stands in is the project when none is named', async () => {
    const project = world.project('-standing in "it"')
    const { code, stderr } = await world.paddock(['run', 'minimal', '--', 'touch', 'made'], { cwd: project })
    expect(code, stderr).toBe(0)
    expect(existsSync(join(project, 'made'))).toBe(true)
  })

  test('a relative name and a link to the folder do as well, and ls shows the folder itself', async () => {
    const project = world.project('the real one')
    const link = join(world.folder, 'link')
    symlinkSync(project, link)
    for (const named of ['projects/the real one', 'link']) {
      const { code, stderr } = await world.paddock(['run', 'minimal', '--project', named, '--', 'sh', '-c', 'echo x >> made'])
      expect(code, stderr).toBe(0)
    }
    expect(readFileSync(join(project, 'made'), 'utf8')).toBe('x\nx\n')
  })
})

describe('a folder that may not be a project', () => {
  // Podman is not there: a refusal that asked it first would fail otherwise.
  const refusal = (project: string) => world.paddock(['run', 'minimal', '--project', project], { env: { PADDOCK_PODMAN: '/nonexistent/podman' } })

  test.each<[string, () => string, RegExp]>([
    ['the root', () => '/', /root of the file system/],
    ['the root, spelled otherwise', () => '/usr/..', /root of the file system/],
    ['the home folder', () => homedir(), /home folder/],
    ['what holds the home folder', () => join(homedir(), '..'), /home folder|root of the file system/],
    ['a link to the home folder', () => link('to-home', homedir()), /home folder/],
    ['Paddock’s data', () => join(homedir(), '.local/share/paddock'), /Paddock’s own folder/],
    ['what holds Paddock’s data', () => join(homedir(), '.local/share'), /Paddock’s own folder/],
    ['the sandboxes’ home', () => join(homedir(), '.local/share/paddock/homes/default'), /Paddock’s own folder/],
    ['Paddock’s profiles', () => world.profilesFolder, /Paddock’s own folder/],
    ['a folder that is missing', () => join(world.folder, 'missing'), /does not exist/],
    ['a file', () => file(), /not a folder/],
    ['a link that dangles', () => link('dangling', join(world.folder, 'missing')), /does not exist/],
  ])('%s', async (_name, project, why) => {
    mkdirSync(join(homedir(), '.local/share/paddock/homes/default'), { recursive: true })
    const { code, stdout, stderr } = await refusal(project())
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(why)
    expect(stderr).not.toContain('nonexistent')
  })

  test('a folder that is none of these gets as far as Podman', async () => {
    const { code, stderr } = await refusal(world.project('allowed'))
    expect(code).toBe(125)
    expect(stderr).toContain('/nonexistent/podman')
  })

  test('a folder that one may not read', async () => {
    const project = world.project('locked')
    chmodSync(project, 0)
    const { code, stderr } = await refusal(project)
    chmodSync(project, 0o700)
    expect(code).toBe(2)
    expect(stderr).toMatch(/may not read/)
  })

  function link(name: string, target: string): string {
    const path = join(world.folder, name)
    rmSync(path, { force: true })
    symlinkSync(target, path)
    return path
  }

  function file(): string {
    const path = join(world.folder, 'a-file')
    writeFileSync(path, '')
    return path
  }
})
