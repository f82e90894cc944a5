import { useEffect } from 'react'
import type { DesktopBoard } from '../../../shared/domain/desktop-act.ts'
import { useActions, useApi, useApp } from '../../store/context.tsx'

/** What agents do with a desktop, followed while it is in sight. */
export function useDesktopBoard(id: string, isShown: boolean): DesktopBoard | undefined {
  const api = useApi()
  const { loadDesktopBoard } = useActions()
  useEffect(() => {
    if (!isShown) return
    const stop = new AbortController()
    void api.call('desktop.follow', { id }, { signal: stop.signal })
    void loadDesktopBoard(id)
    return () => stop.abort()
  }, [api, id, isShown, loadDesktopBoard])
  return useApp(({ desktopBoards }) => desktopBoards[id])
}
