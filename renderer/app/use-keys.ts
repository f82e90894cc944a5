import { useEffect } from 'react'
import { useActions } from '../store/context.tsx'
import { useTabs } from './use-tabs.ts'

/** The app's own keys. All others belong to what has the focus, the terminal above all. */
export function useKeys(): void {
  const actions = useActions()
  const tabs = useTabs()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'F6') moveBetweenRegions(event.shiftKey ? -1 : 1)
      else if (event.key === 'Escape') {
        if (!isInTerminal(event)) actions.setPanel(null)
        return
      } else if (!event.ctrlKey || event.altKey || event.shiftKey || event.metaKey) return
      else if (event.key === 'k') actions.setPalette(true)
      else if (event.key === 'l' && !isInTerminal(event)) document.querySelector<HTMLElement>('[data-primary]')?.click()
      else if (/^[1-9]$/.test(event.key)) {
        const tab = tabs[Number(event.key) - 1]
        if (tab) void actions.attach(tab.id)
      } else return
      event.preventDefault()
      event.stopPropagation()
    }
    // Before the terminal sees it: these keys have no meaning to programs in it.
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [actions, tabs])
}

function isInTerminal({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('.terminal-box') !== null
}

function moveBetweenRegions(step: number): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter((region) => region.offsetParent !== null)
  const at = regions.findIndex((region) => region.contains(document.activeElement))
  const next = regions[(at + step + regions.length) % regions.length]
  next?.querySelector<HTMLElement>('textarea, button, input, select, [tabindex="0"]')?.focus()
}
