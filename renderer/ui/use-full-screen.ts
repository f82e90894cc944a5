import { useSyncExternalStore } from 'react'

/** What fills the screen; null while nothing does. Only what lies in it can be seen then, so that menus have to be put there. */
export function useFullScreen(): Element | null {
  return useSyncExternalStore(follow, () => document.fullscreenElement)
}

function follow(onChange: () => void): () => void {
  document.addEventListener('fullscreenchange', onChange)
  return () => document.removeEventListener('fullscreenchange', onChange)
}
