import { EventEmitter } from 'node:events'
import type { SFTPWrapper } from 'ssh2'
import { expect, it } from 'vitest'
import type { OpenSshFiles } from '../openssh-files.ts'
import { copySession } from './copy-session.ts'

const mib = 1024 * 1024

/** Answers "make a folder" with its own name, so that it can be told which session was taken. */
const namedSftp = (name: string) => Object.assign(new EventEmitter(), { mkdir: (_path: string, done: (error: Error) => void) => done(new Error(name)), end() {} }) as unknown as SFTPWrapper
const bulkOf = (sftp: SFTPWrapper): OpenSshFiles => ({ sftp, bytes: { read() {}, write() {} } })

function guest(open: () => Promise<OpenSshFiles | null>) {
  let opened = 0
  return { sftp: async () => namedSftp('channel'), bulkSftp: () => (opened++, open()), opened: () => opened }
}
const taken = async (session: Promise<{ makeFolder(path: string): Promise<void> }>) => (await session).makeFolder('/').then(() => '', (error: Error) => error.message)

it('copies little through the channel that is there, and much through a connection of its own', async () => {
  const from = guest(async () => bulkOf(namedSftp('bulk')))
  const session = await copySession(from)
  expect(await taken(session.forContent(20 * mib))).toBe('channel')
  expect(from.opened()).toBe(0)
  // Together they are much.
  expect(await taken(session.forContent(20 * mib))).toBe('bulk')
  expect(await taken(session.forContent(1))).toBe('bulk')
  const next = await copySession(from)
  expect(await taken(next.forContent(200 * mib))).toBe('bulk')
  expect(from.opened()).toBe(1)
})

it('copies through the channel where there is no other connection, and asks once', async () => {
  const from = guest(async () => null)
  const session = await copySession(from)
  expect(await taken(session.forContent(200 * mib))).toBe('channel')
  expect(await taken(session.forContent(200 * mib))).toBe('channel')
  expect(from.opened()).toBe(1)
})

it('connects anew after a connection has ended', async () => {
  const ended = namedSftp('first')
  const sessions = [ended, namedSftp('second')]
  const from = guest(async () => bulkOf(sessions.shift()!))
  const session = await copySession(from)
  expect(await taken(session.forContent(200 * mib))).toBe('first')
  ended.emit('end')
  expect(await taken(session.forContent(1))).toBe('second')
})

it('waits for no connection once it is called off', async () => {
  const stop = new AbortController()
  const session = await copySession(guest(() => new Promise(() => {})), stop.signal)
  const waiting = taken(session.forContent(200 * mib))
  stop.abort()
  expect(await waiting).toBe('channel')
})
