import type { Copied, GuestPlace, Offer } from '../../shared/contract/panel-contract.ts'
import { lastName } from '../../shared/domain/copy-rules.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import type { MakeSlice } from './slice.ts'

/** A copy into or out of a sandbox, or how it ended. It goes on while its panel is closed. */
export interface Transfer {
  key: string
  sandboxId: string
  direction: 'in' | 'out'
  /** What is copied; hostile text where it comes out of a sandbox. */
  what: string
  status: 'running' | 'cancelling' | 'asking' | 'done' | 'cancelled' | 'failed'
  /** Null before the first byte. */
  progress: { files: number; bytes: number } | null
  /** Of a single file, whose size is known. */
  totalBytes: number | null
  copied: Copied | null
  /** Where on this machine it lies now. */
  to: string | null
  /** Names that are there already, while the person is asked about them. */
  conflicts: readonly string[]
  error: ErrorReport | null
}

/** What a files panel shows: a folder, or a file in it. */
export interface FilesAt {
  root: GuestPlace['root']
  path: string
  /** The file that is shown instead of its folder. */
  file: string | null
}

export interface TransfersSlice {
  transfers: readonly Transfer[]
  /** Where each sandbox's files panel was left. */
  filesAt: Readonly<Record<string, FilesAt>>
  showFiles(id: string, at: FilesAt): void
  download(place: GuestPlace, of: { isFolder: boolean; sizeBytes: number | null }): Promise<void>
  copyIn(place: GuestPlace, offer: Offer): Promise<void>
  /** Asks for files or a folder in the system's dialog, then copies them in. */
  pickAndCopyIn(place: GuestPlace, what: 'files' | 'folder'): Promise<void>
  /** The answer to what is there already. */
  answerTransfer(key: string, replaces: boolean): Promise<void>
  cancelTransfer(key: string): void
  dismissTransfer(key: string): void
}

export const makeTransfersSlice: MakeSlice<TransfersSlice> = (api) => (set, get) => {
  const aborts = new Map<string, AbortController>()
  /** What a copy that asks something goes on with. */
  const waiting = new Map<string, { place: GuestPlace; offer: Offer }>()
  const update = (key: string, change: Partial<Transfer>) => set(({ transfers }) => ({ transfers: transfers.map((one) => (one.key === key ? { ...one, ...change } : one)) }))
  const dismiss = (key: string) => {
    waiting.delete(key)
    set(({ transfers }) => ({ transfers: transfers.filter((one) => one.key !== key) }))
  }
  const begin = (begun: Pick<Transfer, 'sandboxId' | 'direction' | 'what' | 'totalBytes'>): string => {
    const key = crypto.randomUUID()
    set(({ transfers }) => ({ transfers: [...transfers, { ...begun, key, status: 'running', progress: null, copied: null, to: null, conflicts: [], error: null }] }))
    return key
  }
  /** How one call of a copy is followed. */
  const follow = (key: string) => {
    const abort = new AbortController()
    aborts.set(key, abort)
    const { signal } = abort
    return { signal, onProgress: (news: { kind: string; files?: number; bytes?: number }) => news.kind === 'copied' && update(key, { progress: { files: news.files!, bytes: news.bytes! } }) }
  }
  /** @returns whether the person called it off while it ran */
  const end = (key: string): boolean => {
    const isAborted = aborts.get(key)?.signal.aborted ?? false
    aborts.delete(key)
    return isAborted
  }
  const fail = (key: string, error: ErrorReport, isAborted: boolean) => {
    const isCancelled = error.code === 'cancelled' || isAborted
    update(key, isCancelled ? { status: 'cancelled' } : { status: 'failed', error })
  }
  const run = async (key: string, place: GuestPlace, offer: Offer, replaces: boolean) => {
    const reply = await api.call('files.copyIn', { ...place, offerId: offer.offerId, replaces }, follow(key))
    const isAborted = end(key)
    if (!reply.ok) fail(key, reply.error, isAborted)
    else if (reply.value.kind === 'copied') update(key, { status: 'done', copied: reply.value })
    else {
      waiting.set(key, { place, offer })
      update(key, { status: 'asking', conflicts: reply.value.names })
    }
  }

  return {
    transfers: [],
    filesAt: {},
    showFiles: (id, at) => set(({ filesAt }) => ({ filesAt: { ...filesAt, [id]: at } })),
    async download(place, { isFolder, sizeBytes }) {
      const key = begin({ sandboxId: place.id, direction: 'out', what: lastName(place.path) || place.root, totalBytes: isFolder ? null : sizeBytes })
      const reply = await api.call('files.download', { ...place, isFolder }, follow(key))
      const isAborted = end(key)
      if (!reply.ok) fail(key, reply.error, isAborted)
      // The person closed the dialog.
      else if (reply.value === null) dismiss(key)
      else update(key, { status: 'done', copied: reply.value, to: reply.value.to })
    },
    async copyIn(place, offer) {
      const [first = '', ...others] = offer.names
      const what = others.length === 0 ? first : `${first} and ${others.length} more`
      await run(begin({ sandboxId: place.id, direction: 'in', what, totalBytes: null }), place, offer, false)
    },
    async pickAndCopyIn(place, what) {
      const reply = await api.call('files.pick', { what })
      if (!reply.ok) get().report('The dialog could not be opened.', reply.error)
      else if (reply.value !== null) await get().copyIn(place, reply.value)
    },
    async answerTransfer(key, replaces) {
      const asked = waiting.get(key)
      if (!asked || !replaces) return dismiss(key)
      waiting.delete(key)
      update(key, { status: 'running', conflicts: [] })
      await run(key, asked.place, asked.offer, true)
    },
    cancelTransfer(key) {
      update(key, { status: 'cancelling' })
      aborts.get(key)?.abort()
    },
    dismissTransfer: dismiss,
  }
}
