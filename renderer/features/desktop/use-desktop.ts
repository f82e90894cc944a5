import { type RefObject, useEffect, useRef, useState } from 'react'
import type { DesktopView } from '../../../shared/domain/desktop-view.ts'
import { useApi, useApp } from '../../store/context.tsx'
import { type DesktopScreen, type ScreenFigures, type ScreenOptions, type ScreenState, showDesktop } from './desktop-screen.ts'

const qualities = { low: 2, medium: 6, high: 9 } as const
const figuresEveryMs = 1_000

export interface DesktopParts {
  place: RefObject<HTMLDivElement | null>
  keys: RefObject<HTMLTextAreaElement | null>
}

const optionsOf = ({ scale, quality, isViewOnly }: DesktopView): ScreenOptions => ({ scale, isViewOnly, quality: qualities[quality] })

/** A sandbox's desktop on the page. It is connected only while somebody can see it. */
export function useDesktop(id: string, isShown: boolean, { place, keys }: DesktopParts, onRelease: () => void): { state: ScreenState; screen: RefObject<DesktopScreen | null>; figures: ScreenFigures | null } {
  const api = useApi()
  const view = useApp((store) => store.desktopView)
  const screen = useRef<DesktopScreen>(null)
  const [state, setState] = useState<ScreenState>({ kind: 'connecting', isAgain: false })
  const [figures, setFigures] = useState<ScreenFigures | null>(null)
  const isSeen = useIsVisible() && isShown

  useEffect(() => {
    if (!isSeen) return
    const made = showDesktop(api, id, { place: place.current!, keys: keys.current! }, optionsOf(view), { onState: setState, onRelease })
    screen.current = made
    return () => {
      made.dispose()
      screen.current = null
    }
    // How it is shown reaches it through the effect below.
  }, [api, id, isSeen])
  useEffect(() => {
    screen.current?.apply(optionsOf(view))
  }, [view])
  useEffect(() => {
    if (!view.hasFigures || !isSeen) return setFigures(null)
    screen.current?.figures()
    const timer = setInterval(() => setFigures(screen.current?.figures() ?? null), figuresEveryMs)
    return () => clearInterval(timer)
  }, [view.hasFigures, isSeen])
  return { state, screen, figures }
}

function useIsVisible(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden)
  useEffect(() => {
    const look = () => setVisible(!document.hidden)
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [])
  return isVisible
}
