import { useCallback, useEffect, useRef, useState } from 'react'
import type { GuestPlace } from '../../../shared/contract/panel-contract.ts'
import { type GuestEntry, orderEntries } from '../../../shared/domain/guest-entry.ts'
import type { ErrorReport } from '../../../shared/errors/paddock-error.ts'
import { useApi } from '../../store/context.tsx'

/** What lies in a folder of a sandbox. */
export interface Folder {
  /** Of which path this is; another one is being looked at while they differ. */
  of: string
  /** Null until the first answer, and where that was an error. */
  entries: readonly GuestEntry[] | null
  isCut: boolean
  error: ErrorReport | null
}

/** Looks at a folder, and again when told to. What was there stays in sight until the new answer. */
export function useFolder({ id, root, path }: GuestPlace, isActive: boolean): { folder: Folder; isLooking: boolean; reload: () => void } {
  const api = useApi()
  const of = `${root} ${path}`
  const [folder, setFolder] = useState<Folder>({ of: '', entries: null, isCut: false, error: null })
  const [isLooking, setLooking] = useState(false)
  const running = useRef<AbortController | null>(null)
  const look = useCallback(() => {
    running.current?.abort()
    const abort = new AbortController()
    running.current = abort
    setLooking(true)
    void api.call('files.list', { id, root, path }, { signal: abort.signal }).then((reply) => {
      if (abort.signal.aborted) return
      setLooking(false)
      setFolder(reply.ok ? { of, entries: orderEntries(reply.value.entries), isCut: reply.value.isCut, error: null } : { of, entries: null, isCut: false, error: reply.error })
    })
  }, [api, id, root, path, of])
  useEffect(() => {
    if (isActive) look()
    return () => running.current?.abort()
  }, [look, isActive])
  return { folder: folder.of === of ? folder : { of, entries: null, isCut: false, error: null }, isLooking, reload: look }
}
