import { useCallback, useEffect, useRef, useState } from 'react'
import type { WindowOutput } from '../../../shared/contract/window-contract.ts'
import type { ErrorReport } from '../../../shared/errors/paddock-error.ts'
import { useApi } from '../../store/context.tsx'

/** Soon enough for who has just started a server, and one small program in the sandbox each. */
const everyMs = 2_500

/** What listens in a sandbox, asked again and again while this is shown and the window is in sight. */
export function usePorts(id: string, isActive: boolean): { ports: WindowOutput<'ports.list'> | null; error: ErrorReport | null; look: () => Promise<void> } {
  const api = useApi()
  const [ports, setPorts] = useState<WindowOutput<'ports.list'> | null>(null)
  const [error, setError] = useState<ErrorReport | null>(null)
  const asked = useRef(0)
  const look = useCallback(async () => {
    const mine = ++asked.current
    const reply = await api.call('ports.list', { id })
    if (mine !== asked.current) return
    setError(reply.ok ? null : reply.error)
    if (reply.ok) setPorts(reply.value)
  }, [api, id])
  useEffect(() => {
    if (!isActive) return
    let timer: ReturnType<typeof setTimeout>
    let isOver = false
    const lookOn = async () => {
      clearTimeout(timer)
      if (!document.hidden) await look()
      if (!isOver) timer = setTimeout(() => void lookOn(), everyMs)
    }
    const onShown = () => void (document.hidden || lookOn())
    document.addEventListener('visibilitychange', onShown)
    void lookOn()
    return () => {
      isOver = true
      asked.current++
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onShown)
    }
  }, [look, isActive])
  return { ports, error, look }
}
