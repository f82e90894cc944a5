import { type GuestEntry, type GuestPreview, type GuestRoot, guestRoots, maxGuestEntries, previewBytes } from '../../../shared/domain/guest-entry.ts'
import { workspaceLimits } from '../../../shared/domain/workspace-limits.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { explainToPerson } from './explain-to-person.ts'
import type { OpenGuest } from './guest-place.ts'
import { textPart } from './text-part.ts'
import { createWorkspaceFiles } from './workspace-files.ts'

/** A folder of a sandbox, to look through. Paths are relative to it; nothing outside is reached, whatever the links say. */
export interface GuestBrowser {
  /** What lies in one folder, up to `maxGuestEntries`. @throws {PaddockError} `workspace-refused` and those of the channel */
  list(path: string, signal?: AbortSignal): Promise<{ entries: GuestEntry[]; isCut: boolean }>
  /** What a name is, and the beginning of a text. */
  open(path: string, signal?: AbortSignal): Promise<GuestPreview>
}

export function createGuestBrowser(open: OpenGuest, root: GuestRoot): GuestBrowser {
  const files = createWorkspaceFiles(open, guestRoots[root], explainToPerson)
  return {
    async list(path, signal) {
      const entries: GuestEntry[] = []
      let cursor: string | undefined
      do {
        const page = await files.list(path, { depth: 1, limit: workspaceLimits.listEntries.max, cursor }, signal)
        entries.push(...page.entries.map(({ path: name, ...rest }) => ({ name, ...rest })))
        cursor = page.nextCursor ?? undefined
      } while (cursor !== undefined && entries.length < maxGuestEntries)
      return { entries, isCut: cursor !== undefined }
    },
    async open(path, signal) {
      try {
        const { bytes, totalBytes, modifiedAt } = await files.read(path, { offset: 0, length: previewBytes }, signal)
        const isCut = totalBytes > bytes.length
        const text = textPart(bytes, isCut)
        return text === null ? { kind: 'binary', totalBytes, modifiedAt } : { kind: 'text', text: text.toString(), isCut, totalBytes, modifiedAt }
      } catch (error) {
        const word = error instanceof PaddockError ? error.cause : undefined
        if (word === 'is-folder') return { kind: 'folder' }
        if (word === 'not-regular') return { kind: 'special' }
        if (word === 'outside' || word === 'link-loop') return { kind: 'outside', target: await files.target(path, signal) }
        throw error
      }
    },
  }
}
