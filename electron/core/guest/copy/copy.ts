import { setTimeout as sleep } from 'node:timers/promises'
import { basename, dirname, posix, resolve } from 'node:path'
import { lastName } from '../../../../shared/domain/copy-rules.ts'
import { PaddockError } from '../../../../shared/errors/paddock-error.ts'
import type { GuestChannel } from '../guest-channel.ts'
import { copyFileIn, copyFolderIn } from './copy-in.ts'
import { type CopyOptions, type CopyReport, createCopyJob, ownErrors } from './copy-job.ts'
import { copyFolderOut, copyOut } from './copy-out.ts'
import { type CopySession, copySession } from './copy-session.ts'
import { serverFailure } from './file-session.ts'
import { findHostFolder, openHostFolder, openNamed } from '../../files/host-folder.ts'

/** A copy between this machine and a sandbox; relative paths inside start where its own command did. */
export interface CopyRequest extends CopyOptions {
  /** Path of this machine. */
  host: string
  /** Path inside. */
  guest: string
  /** What relative paths of this machine start from. */
  cwd: string
  /** Absolute real paths of this machine where a sandbox can write: no link there is followed. */
  guarded: readonly string[]
}

/**
 * Copies a file or a folder out of a sandbox, as `cp -r` names things: into a folder that exists, else under the new name.
 * Nothing is written but in the place that was named, whatever lies there or is put there meanwhile.
 * @throws {PaddockError} `copy-failed`, `channel-lost`, `cancelled`
 */
export function copyFromGuest(guest: GuestChannel, request: CopyRequest): Promise<CopyReport> {
  return withFiles(guest, request.signal, async (session) => {
    const job = createCopyJob(request)
    const from = posix.resolve(guest.workdir, request.guest)
    const attributes = await session.stat(from).catch(noSource(`${request.guest || '.'} in the sandbox`))
    const copy = { session, job, sandboxId: guest.sandboxId }
    const to = resolve(request.cwd, request.host)
    const name = lastName(request.guest)
    const existing = await findHostFolder(to, request.guarded)
    if (existing && name === '' && attributes.isDirectory()) await job.attempt(from, () => copyFolderOut(copy, from, null, { folder: existing, isNew: false }, 0))
    else if (existing) await copyOut(copy, from, attributes, existing, name).finally(() => existing.close())
    else {
      const parent = await openHostFolder(dirname(to), request.guarded)
      try {
        if (request.host.endsWith('/') && !attributes.isDirectory()) throw failed(`${to} is no folder`)
        await copyOut(copy, from, attributes, parent, basename(to))
      } finally {
        await parent.close()
      }
    }
    return job.report
  })
}

/** The same into a sandbox. No link in what is copied is followed, and none on the way to it where a sandbox can write. */
export function copyToGuest(guest: GuestChannel, request: CopyRequest): Promise<CopyReport> {
  return withFiles(guest, request.signal, async (session) => {
    const job = createCopyJob(request)
    const from = resolve(request.cwd, request.host)
    const { folder: parent, name } = await openNamed(from, request.guarded)
    try {
      const stats = name === '' ? null : await parent.stat(name).catch(noSource(from))
      const isFolder = stats === null || stats.isDirectory()
      const wanted = posix.resolve(guest.workdir, request.guest)
      const target = await session.stat(wanted).catch(() => null)
      const copiedName = lastName(from)
      const isContent = /(^|\/)\.?$/.test(request.host) && lastName(request.host) === ''
      const to = target?.isDirectory() && copiedName !== '' && !isContent ? posix.join(wanted, copiedName) : wanted
      const inTheWay = isFolder ? (to === wanted ? target : await session.stat(to).catch(() => null)) : null
      if (inTheWay && !inTheWay.isDirectory()) throw noFolderInside(to)
      if (request.guest.endsWith('/') && !target?.isDirectory() && !isFolder) throw failed(`${wanted} is no folder in the sandbox`)
      if (isFolder) await job.attempt(from, async () => copyFolderIn({ session, job }, name === '' ? await openHostFolder(from, request.guarded) : await parent.folder(name), from, to, stats, 0))
      else await copyFileIn({ session, job }, { folder: parent, name, shown: from }, to)
      return job.report
    } finally {
      await parent.close()
    }
  })
}

/** Which of some names are there in a folder of a sandbox, a link that leads nowhere too. @throws {PaddockError} `copy-failed`, `channel-lost` */
export function namesInGuest(guest: GuestChannel, folder: string, names: readonly string[]): Promise<string[]> {
  return withFiles(guest, undefined, async (session) => {
    const isThere = await Promise.all(names.map((name) => session.lstat(posix.join(folder, name)).then(() => true, (error: unknown) => {
      if (error instanceof PaddockError) throw error
      return false
    })))
    return names.filter((_name, at) => isThere[at])
  })
}

/** A connection that breaks takes its channels with it first, on a busy machine long before it says so. */
const brokenMs = 3_000

/** Whether the server still says anything, which one behind a connection that breaks does not: then nothing has to be waited for. */
function isAnswering(session: CopySession): Promise<boolean> {
  const answers = session.stat('/').then(() => true, ({ code }: { code?: unknown }) => typeof code === 'number')
  return Promise.race([answers, sleep(brokenMs, false)])
}

async function withFiles<T>(guest: GuestChannel, signal: AbortSignal | undefined, work: (session: CopySession) => Promise<T>): Promise<T> {
  const session = await copySession(guest, signal)
  try {
    return await work(session)
  } catch (error) {
    if (error instanceof PaddockError && error.report.code === 'cancelled') throw error
    // When the connection breaks, that is the reason; what was asked meanwhile fails for reasons of its own.
    const lost = (await isAnswering(session)) ? null : await Promise.race([guest.closed, sleep(brokenMs, null)])
    throw lost ?? (error instanceof PaddockError ? error : failed(inWords(error as Error), error))
  } finally {
    session.end()
  }
}

function noSource(what: string): (error: Error) => never {
  return (error) => {
    throw error instanceof PaddockError ? error : failed(`${what} cannot be read (${inWords(error)})`, error)
  }
}

function noFolderInside(path: string): PaddockError {
  return new PaddockError({ code: 'copy-failed', message: `The folder ${path} cannot be made in the sandbox: there is a file of that name.`, hint: 'Move it away, or copy to another place.' })
}

function failed(why: string, cause?: unknown): PaddockError {
  return new PaddockError({ code: 'copy-failed', message: `Nothing more was copied: ${why}.` }, { cause })
}

/** The reason in words of a person's, without the handles by which folders are reached. */
function inWords(error: Error & { code?: unknown; path?: unknown }): string {
  if (error.code === serverFailure) return 'the sandbox refused it without a reason; its disk may be full, or the folder read-only'
  if (error.code === 'ENOENT') return 'there is no such file or folder'
  return ownErrors.get(error.code) ?? error.message.replace(/^E[A-Z]+: |, \w+ '\/proc\/self\/fd\/[^']*'$/g, '').replace(/\.$/, '')
}
