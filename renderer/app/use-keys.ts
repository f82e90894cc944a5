import { useEffect } from 'react'
import { useActions } from '../store/context.tsx'
import type { AppState } from '../store/state.ts'
import { useTabs } from './use-tabs.ts'

type Current = () => AppState

/** The app's own keys. All others belong to what has the focus, the terminal above all. */
export function useKeys(current: Current): void {
  const actions = useActions()
  const tabs = useTabs()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isControl = event.ctrlKey && !event.altKey && !event.metaKey
      if (event.key === 'F6') moveBetweenRegions(event.shiftKey ? -1 : 1)
      else if (event.key === 'Escape') {
        if (!isInTerminal(event) && !current().isPaletteOpen) actions.setPanel(null)
        return
      } else if (!isControl) return
      else if (event.shiftKey) {
        if (event.code !== 'KeyT') return
        void launchAgain(current())
      } else if (event.key === 'k') actions.setPalette(true)
      else if (event.key === 'l' && !isInTerminal(event)) launchHere(current())
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
  }, [actions, tabs, current])
}

/** What the view's one button does; where it has none, the project that is looked at, or the last one. */
function launchHere(state: AppState): void {
  state.setPalette(false)
  state.setPanel(null)
  const button = [...document.querySelectorAll<HTMLElement>('[data-primary]')].find(isVisible)
  if (button) button.click()
  else void launchAgain(state)
}

async function launchAgain(state: AppState): Promise<void> {
  const folder = projectInView(state)
  if (folder) await state.quickLaunch(folder)
}

/** The project that the view is about, else the one opened last. Pure. */
export function projectInView({ view, sandboxes, ended, projects }: Pick<AppState, 'view' | 'sandboxes' | 'ended' | 'projects'>): string | null {
  if (view.kind === 'project') return view.folder
  const shown = view.kind === 'sandbox' ? (sandboxes?.find(({ id }) => id === view.id) ?? ended[view.id]?.sandbox) : undefined
  return shown?.project ?? projects?.find(({ exists }) => exists)?.folder ?? null
}

function isInTerminal({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('.terminal-box') !== null
}

const isVisible = (element: HTMLElement) => element.checkVisibility()

function moveBetweenRegions(step: number): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(isVisible)
  const at = regions.findIndex((region) => region.contains(document.activeElement))
  const next = regions[(at + step + regions.length) % regions.length]
  const terminal = next?.querySelector<HTMLElement>('.terminal-box textarea')
  const first = [...(next?.querySelectorAll<HTMLElement>('button:not([tabindex="-1"]), input, select, [tabindex="0"]') ?? [])].find(isVisible)
  ;(terminal ?? first)?.focus()
}
