import { useEffect, useState } from 'react'
import type { EgressRequest } from '../../../shared/domain/egress-request.ts'
import type { ErrorReport } from '../../../shared/errors/paddock-error.ts'
import { useApi } from '../../store/context.tsx'

/** More than a person looks through; the whole log is exported. */
const maxLines = 20_000

interface Requests {
  /** Lines of the log, the oldest first; null before the first answer. */
  lines: readonly EgressRequest[] | null
  error: ErrorReport | null
}

/** What a sandbox asks its proxy for, as it happens, while this is shown. @param attempt another number begins anew */
export function useRequests(id: string, attempt: number): Requests {
  const api = useApi()
  const [requests, setRequests] = useState<Requests>({ lines: null, error: null })
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    const follow = async () => {
      let after = 0
      for (let wait = false; ; wait = true) {
        const reply = await api.call('egress.requests', { id, after, wait }, { signal })
        if (signal.aborted) return
        if (!reply.ok) return setRequests(({ lines }) => ({ lines, error: reply.error }))
        const { requests: news, last, hasEnded } = reply.value
        // The log began anew.
        const isNew = last < after
        after = isNew ? 0 : last
        if (isNew || !wait || news.length > 0) setRequests(({ lines }) => ({ lines: isNew ? [] : [...(wait ? (lines ?? []) : []), ...news].slice(-maxLines), error: null }))
        if (hasEnded) return
      }
    }
    void follow()
    return () => abort.abort()
  }, [api, id, attempt])
  return requests
}
