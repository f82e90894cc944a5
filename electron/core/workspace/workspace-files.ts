import { workspaceLimits } from '../../../shared/domain/workspace-limits.ts'
import { refuseWorkspacePath } from '../../../shared/domain/workspace-path.ts'
import { explainRefusal } from './explain-refusal.ts'
import { createFileServer, type Explain } from './file-server.ts'
import { type OpenGuest, refused, workspaceFolder } from './guest-place.ts'
import type { Message } from './message.ts'

/** What lies in a workspace. */
export interface WorkspaceEntry {
  /** Relative to the folder that was listed. */
  path: string
  type: 'file' | 'folder' | 'link' | 'other'
  sizeBytes: number
  /** ISO 8601. */
  modifiedAt: string
}

/** A list, in the order of names, a folder before what is in it. */
export interface WorkspaceList {
  entries: WorkspaceEntry[]
  /** Goes on behind the last entry; null when the list is whole. */
  nextCursor: string | null
}

/** A part of a file. */
export interface FilePart {
  bytes: Buffer
  /** Of the whole file. */
  totalBytes: number
  modifiedAt: string
}

/** The files of a workspace. Paths are relative and judged again in the guest; each throws {PaddockError} `workspace-refused`. */
export interface WorkspaceFiles {
  list(path: string, options: { depth: number; limit: number; cursor?: string | undefined }, signal?: AbortSignal): Promise<WorkspaceList>
  read(path: string, options: { offset: number; length: number }, signal?: AbortSignal): Promise<FilePart>
  /** What a link says. Hostile text. */
  target(path: string, signal?: AbortSignal): Promise<string>
  write(path: string, bytes: Uint8Array, options: { overwrite: boolean; createParents: boolean }, signal?: AbortSignal): Promise<{ sizeBytes: number; hasReplaced: boolean }>
  remove(path: string, options: { recursive: boolean }, signal?: AbortSignal): Promise<{ type: WorkspaceEntry['type'] }>
}

/** @param root the folder that is the workspace @param explain what those who ask are told of what is in the way */
export function createWorkspaceFiles(open: OpenGuest, root = workspaceFolder, explain: Explain = explainRefusal): WorkspaceFiles {
  const server = createFileServer(open, root, explain)
  const ask = (request: readonly [string, ...(string | Uint8Array)[]], signal?: AbortSignal) => server.ask(request, signal)
  return {
    async list(path, { depth, limit, cursor }, signal) {
      demandPath(path)
      const reply = await ask(['list', path, String(depth), String(limit), cursor === undefined ? '' : readCursor(cursor)], signal)
      const isCut = textOf(reply.pop()) === '1'
      if (reply.length % fieldsOfEntry !== 0 || reply.length > limit * fieldsOfEntry) throw nonsense()
      const rows = Array.from({ length: reply.length / fieldsOfEntry }, (_, at) => reply.slice(at * fieldsOfEntry, (at + 1) * fieldsOfEntry))
      return { entries: rows.map(entryOf), nextCursor: isCut && rows.length > 0 ? rows.at(-1)![0]!.toString('base64url') : null }
    },
    async read(path, { offset, length }, signal) {
      demandPath(path)
      const [size, time, bytes] = await ask(['read', path, String(offset), String(length)], signal)
      if (bytes === undefined || bytes.length > length) throw nonsense()
      return { bytes, totalBytes: numberOf(size), modifiedAt: timeOf(time) }
    },
    async target(path, signal) {
      demandPath(path)
      const [target] = await ask(['target', path], signal)
      return textOf(target)
    },
    async write(path, bytes, { overwrite, createParents }, signal) {
      demandPath(path)
      if (bytes.length > workspaceLimits.writeBytes) throw refused(`A file of ${bytes.length} bytes is too large for one call.`, `The limit is ${workspaceLimits.writeBytes} bytes; run_workspace_command can make larger ones.`)
      const [size, hasReplaced] = await ask(['write', path, overwrite ? '1' : '', createParents ? '1' : '', bytes], signal)
      return { sizeBytes: numberOf(size), hasReplaced: textOf(hasReplaced) === '1' }
    },
    async remove(path, { recursive }, signal) {
      demandPath(path)
      const [type] = await ask(['delete', path, recursive ? '1' : ''], signal)
      return { type: typeOf(type) }
    },
  }
}

const fieldsOfEntry = 4

function demandPath(path: string): void {
  const why = refuseWorkspacePath(path)
  if (why !== null) throw refused(why)
}

/** Bytes, since a name need not be text. */
function readCursor(cursor: string): Buffer {
  const bytes = Buffer.from(cursor, 'base64url')
  if (bytes.length === 0 || bytes.toString('base64url') !== cursor) throw refused('The cursor is none that list_workspace gave.', 'Leave it out to list from the start.')
  return bytes
}

function entryOf([path, type, size, time]: Message): WorkspaceEntry {
  return { path: textOf(path), type: typeOf(type), sizeBytes: numberOf(size), modifiedAt: timeOf(time) }
}

const textOf = (field: Buffer | undefined) => field?.toString() ?? ''
const nonsense = () => refused('The sandbox answered something that makes no sense.', 'Something in it may interfere; ask again.')

function typeOf(field: Buffer | undefined): WorkspaceEntry['type'] {
  const text = textOf(field)
  if (text === 'file' || text === 'folder' || text === 'link' || text === 'other') return text
  throw nonsense()
}

function numberOf(field: Buffer | undefined): number {
  const value = Number(textOf(field) || Number.NaN)
  if (!Number.isSafeInteger(value) || value < 0) throw nonsense()
  return value
}

/** A file can carry any time, and a date of JavaScript's cannot. */
function timeOf(field: Buffer | undefined): string {
  const date = new Date(Number(textOf(field)) * 1_000)
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString()
}
