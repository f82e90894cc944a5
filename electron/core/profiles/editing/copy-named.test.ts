import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { copyNamed } from './copy-named.ts'

let folder: string
let project: string
let agent: ChildProcess | undefined

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'named-')))
  project = join(folder, 'project')
  await mkdir(join(project, 'tools'), { recursive: true })
  await mkdir(join(folder, 'private'))
  await writeFile(join(project, 'tools/setup'), 'own')
  await writeFile(join(folder, 'private/setup'), 'secret')
})

afterEach(async () => {
  agent?.kill('SIGKILL')
  agent = undefined
  await rm(folder, { recursive: true })
})

const named = () => ({ text: 'FROM localhost/paddock:latest\nCOPY tools/setup /usr/local/bin/\n', context: project, project })

/** Copies for a while, until it has both worked and been refused often, while a program changes what is copied. */
async function copyMeanwhile(program: string): Promise<Map<string, number>> {
  agent = spawn(process.execPath, ['-e', `const fs = require('node:fs'); for (;;) { ${program} }`], { cwd: project, stdio: 'ignore' })
  const seen = new Map<string, number>()
  const isSeen = (times: number) => ['own', 'refused'].every((outcome) => (seen.get(outcome) ?? 0) >= times)
  const until = Date.now() + 3_000
  for (let count = 0; !isSeen(Date.now() < until ? 100 : 1); count++) {
    const target = join(folder, `copy-${count}`)
    const outcome = await copyNamed(named(), target).then(
      () => readFile(join(target, 'tools/setup'), 'utf8').catch(() => 'nothing'),
      (error: { report?: { code: string } }) => (error.report?.code === 'profile-refused' ? 'refused' : String(error)),
    )
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
  }
  return seen
}

it('copies a named file with its rights', async () => {
  await chmod(join(project, 'tools/setup'), 0o750)
  expect(await copyNamed(named(), join(folder, 'copy'))).toEqual([])
  expect(await readFile(join(folder, 'copy/tools/setup'), 'utf8')).toBe('own')
  expect((await stat(join(folder, 'copy/tools/setup'))).mode & 0o777).toBe(0o750)
})

it('follows a link to a folder that lies in the context, and none that leads out', async () => {
  await symlink('tools', join(project, 'inner'))
  await symlink('../private', join(project, 'outer'))
  const copied = (name: string) => copyNamed({ ...named(), text: `FROM x\nCOPY ${name}/setup /\n` }, join(folder, 'copy'))
  await copied('inner')
  expect(await readFile(join(folder, 'copy/inner/setup'), 'utf8')).toBe('own')
  await expect(copied('outer')).rejects.toMatchObject({ report: { code: 'profile-refused' } })
})

it('takes nothing from elsewhere when the file becomes a link meanwhile', async () => {
  const seen = await copyMeanwhile(`
    fs.symlinkSync('../../private/setup', 'tools/next'); fs.renameSync('tools/next', 'tools/setup');
    fs.writeFileSync('tools/next', 'own'); fs.renameSync('tools/next', 'tools/setup')`)
  expect([...seen.keys()].filter((outcome) => outcome !== 'nothing').sort()).toEqual(['own', 'refused'])
})

it('takes nothing from elsewhere when its folder becomes a link meanwhile', async () => {
  const seen = await copyMeanwhile(`
    fs.renameSync('tools', 'aside'); fs.symlinkSync('../private', 'tools'); fs.unlinkSync('tools'); fs.renameSync('aside', 'tools')`)
  expect([...seen.keys()].filter((outcome) => outcome !== 'nothing').sort()).toEqual(['own', 'refused'])
})
