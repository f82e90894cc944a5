import { useEffect, useRef, useState } from 'react'
import type { WindowOutput } from '../../../shared/contract/window-contract.ts'
import type { McpSubject } from '../../../shared/domain/mcp-setups.ts'
import type { ErrorReport } from '../../../shared/errors/paddock-error.ts'
import { useApi } from '../../store/context.tsx'

type Activity = WindowOutput<'mcp.list'>

/** Who is connected to a project or a sandbox and what they call, followed while this is shown. */
export function useMcp({ project, sandbox }: McpSubject): { activity: Activity | null; error: ErrorReport | null } {
  const api = useApi()
  const [activity, setActivity] = useState<Activity | null>(null)
  const [error, setError] = useState<ErrorReport | null>(null)
  const asked = useRef(0)
  useEffect(() => {
    const abort = new AbortController()
    const look = async () => {
      const mine = ++asked.current
      const reply = await api.call('mcp.list', { project, sandbox })
      if (abort.signal.aborted || mine !== asked.current) return
      setError(reply.ok ? null : reply.error)
      if (reply.ok) setActivity((before) => (JSON.stringify(before) === JSON.stringify(reply.value) ? before : reply.value))
    }
    const forget = api.onEvent(({ type }) => void (type === 'mcp-changed' && look()))
    void api.call('mcp.follow', {}, { signal: abort.signal })
    void look()
    return () => {
      abort.abort()
      forget()
    }
  }, [api, project, sandbox])
  return { activity, error }
}
