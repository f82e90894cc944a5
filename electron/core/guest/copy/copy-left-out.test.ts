import { type Attributes } from 'ssh2'
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openHostFolder } from '../../files/host-folder.ts'
import { copyFolderIn } from './copy-in.ts'
import { createCopyJob } from './copy-job.ts'
import { copyOut } from './copy-out.ts'
import type { CopySession } from './copy-session.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'skips-'))
})

afterEach(() => rm(folder, { recursive: true }))

const job = () => createCopyJob({ signal: new AbortController().signal, onProgress: () => {} })
const attributes = (mode: number, size = 0) => ({ mode, size, uid: 0, gid: 0, atime: 1, mtime: 1 }) as Attributes
const handle = Buffer.from('handle')
/** A session that knows these requests alone, for files of any size. */
const only = (requests: Partial<Record<keyof CopySession, unknown>>): CopySession => ({ ...requests, forContent: async () => requests }) as CopySession

it('goes on behind a folder of the guest that cannot be listed, and names it', async () => {
  const listed: Record<string, [string, number][]> = { '/from': [['closed', 0o040000], ['open', 0o040755]], '/from/open': [['file', 0o100644]] }
  const session = only({
    list: async (path: string) => {
      if (!listed[path]) throw Object.assign(new Error('Permission denied'), { code: 3 })
      return listed[path].map(([filename, mode]) => ({ filename, longname: '', attrs: attributes(mode, mode === 0o100644 ? 4 : 0) }))
    },
    open: async () => handle,
    read: async (_handle: Buffer, _position: number, into: Buffer) => into.write('text'),
    close: async () => {},
  })
  const into = await openHostFolder(folder, [])
  const running = job()
  await copyOut({ session, job: running, sandboxId: 'a' }, '/from', attributes(0o040755), into, 'to').finally(() => into.close())
  expect(running.report.leftOut).toEqual([{ path: '/from/closed', why: 'Permission denied' }])
  expect(await readFile(join(folder, 'to/open/file'), 'utf8')).toBe('text')
})

it('goes on behind a folder here that is a file by the time it is opened, and names it', async () => {
  for (const name of ['from/one', 'from/two', 'from/three']) {
    await mkdir(join(folder, name), { recursive: true })
    await writeFile(join(folder, name, 'file'), 'text')
  }
  await writeFile(join(folder, 'from/first'), 'text')
  const renamed: string[] = []
  const session = only({
    makeFolder: async () => {},
    lstat: async () => Promise.reject(new Error('No such file')),
    open: async () => handle,
    write: async () => {},
    setAttributes: async () => {},
    setAttributesOf: async () => {},
    close: async () => {},
    rename: async (_from: string, to: string) => {
      renamed.push(to)
      if (to !== '/to/first') return
      await rm(join(folder, 'from/two'), { recursive: true })
      await writeFile(join(folder, 'from/two'), '')
    },
  })
  const running = job()
  await copyFolderIn({ session, job: running }, await openHostFolder(join(folder, 'from'), []), 'from', '/to', null, 0)
  expect(running.report.leftOut).toEqual([{ path: 'from/two', why: 'something else was put in its place' }])
  expect(renamed.sort()).toEqual(['/to/first', '/to/one/file', '/to/three/file'])
})

it('leaves out one file that is gone, and stops at what concerns all', async () => {
  const running = job()
  const done: string[] = []
  await running.each(['gone', 'here'], (name) => name, async (name) => {
    if (name === 'gone') await open(join(folder, name))
    done.push(name)
  })
  expect(done).toEqual(['here'])
  expect(running.report.leftOut).toEqual([{ path: 'gone', why: 'it is not there any more' }])
  await expect(running.each(['one'], (name) => name, () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' })))).rejects.toThrow('no space')
})
