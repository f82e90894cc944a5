import * as z from 'zod/mini'
import { homeMountPoint, projectMountPoint } from './sandbox.ts'

/** The folders of a sandbox that can be looked through, by what they are for. */
export const guestRoots = { project: projectMountPoint, home: homeMountPoint } as const
export const guestRootSchema = z.enum(['project', 'home'])
export type GuestRoot = z.infer<typeof guestRootSchema>

/** What lies in a folder of a sandbox. Its name is hostile text. */
export const guestEntrySchema = z.object({
  name: z.string(),
  type: z.enum(['file', 'folder', 'link', 'other']),
  sizeBytes: z.number(),
  /** ISO 8601. */
  modifiedAt: z.string(),
})
export type GuestEntry = z.infer<typeof guestEntrySchema>

/** What opening a name shows. */
export const guestPreviewSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder') }),
  /** `text` is the file's beginning; `isCut` when there is more. */
  z.object({ kind: z.literal('text'), text: z.string(), isCut: z.boolean(), totalBytes: z.number(), modifiedAt: z.string() }),
  z.object({ kind: z.literal('binary'), totalBytes: z.number(), modifiedAt: z.string() }),
  /** A link that leads out of the folder, or in a circle: it is not followed. */
  z.object({ kind: z.literal('outside'), target: z.string() }),
  /** A pipe, a socket or a device. */
  z.object({ kind: z.literal('special') }),
])
export type GuestPreview = z.infer<typeof guestPreviewSchema>

/** Of one folder so many are shown; more would be no list that a person reads. */
export const maxGuestEntries = 20_000
/** Of a file so much is shown. */
export const previewBytes = 256 * 1024

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })

/** As file managers have them: folders first, each by name, numbers by their value. Pure. */
export function orderEntries(entries: readonly GuestEntry[]): GuestEntry[] {
  return [...entries].sort((a, b) => Number(b.type === 'folder') - Number(a.type === 'folder') || byName.compare(a.name, b.name) || (a.name < b.name ? -1 : 1))
}

/** By the custom of Unix. Pure. */
export const isHidden = ({ name }: Pick<GuestEntry, 'name'>) => name.startsWith('.')

/** Whether a name can be asked for: what is no text came as another one. Pure. */
export const isNameable = ({ name }: Pick<GuestEntry, 'name'>) => !name.includes('\ufffd')

/** The path of a name in a folder; `.` is the root itself. Pure. */
export const joinPath = (folder: string, name: string) => (folder === '.' ? name : `${folder}/${name}`)

/** The folder above; the root is its own. Pure. */
export function parentPath(path: string): string {
  const at = path.lastIndexOf('/')
  return at < 0 ? '.' : path.slice(0, at)
}

/** A step of a breadcrumb. */
export interface Crumb {
  name: string
  path: string
}

/**
 * The folders on the way to a path, the last ones where there are many. Pure.
 * @returns also the folder that the first of those left out leads to, null when none is
 */
export function crumbsOf(path: string, most: number): { skipped: string | null; crumbs: Crumb[] } {
  const names = path === '.' ? [] : path.split('/')
  const all = names.map((name, at) => ({ name, path: names.slice(0, at + 1).join('/') }))
  const left = all.length - most
  return left > 0 ? { skipped: all[left - 1]!.path, crumbs: all.slice(left) } : { skipped: null, crumbs: all }
}
