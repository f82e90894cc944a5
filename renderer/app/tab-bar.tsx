import { ChevronDown, Command, Play, Plus } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { another, chooseLaunch } from '../../shared/domain/launch-choice.ts'
import { type SandboxTab, tabsOf } from '../../shared/domain/sandbox-tabs.ts'
import { useActions, useApp } from '../store/context.tsx'
import { Button, IconButton } from '../ui/button.tsx'
import { type Glyph, StateGlyph } from '../ui/state-glyph.tsx'
import { currentProject } from '../store/current-project.ts'

/** With so many the strip scrolls, and a list to search is quicker. */
const listFrom = 8

export function TabBar() {
  const sandboxes = useApp((state) => state.sandboxes)
  const isUnknown = useApp((state) => state.sandboxesError !== null)
  const open = useApp((state) => state.open)
  const { openPalette } = useActions()
  const tabs = tabsOf(sandboxes ?? [], Object.values(open))
  return (
    <header className="tab-bar" data-region>
      <TabStrip tabs={tabs} note={sandboxes !== null ? 'No sandbox is running' : isUnknown ? 'Sandboxes not known' : 'Looking for sandboxes…'} />
      <IconButton icon={Plus} label="Launch a project" onClick={() => openPalette({ kind: 'launch' })} />
      <span className="grow" />
      {tabs.length > listFrom && (
        <Button look="quiet" onClick={() => openPalette({ kind: 'tabs' })}>
          {tabs.length} sandboxes <ChevronDown size={16} strokeWidth={1.5} aria-hidden />
        </Button>
      )}
      <LaunchAgain isCrowded={tabs.length > listFrom} />
      <Button look="quiet" className="palette-button" icon={Command} title="Everything by name" onClick={() => openPalette({ kind: 'all' })}>
        <span className="sr-only">Command palette</span> <kbd>Ctrl+K</kbd>
      </Button>
    </header>
  )
}

function TabStrip({ tabs, note }: { tabs: readonly SandboxTab[]; note: string }) {
  const shownId = useApp(({ view }) => (view.kind === 'sandbox' ? view.id : null))
  const { showSandbox, closeTab } = useActions()
  const strip = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (strip.current === null) return
    const show = () => strip.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    show()
    // What stands beside the strip comes and goes with the tab that is shown.
    const observer = new ResizeObserver(show)
    observer.observe(strip.current)
    return () => observer.disconnect()
  }, [shownId, tabs.length])
  const shownAt = tabs.findIndex(({ id }) => id === shownId)
  const onKey = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === (event.target as HTMLElement).dataset.tab)
    if (at < 0) return
    const tab = tabs[at]!
    if (event.key === 'Delete' && tab.state !== 'running') return closeTab(tab.id)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    strip.current?.querySelectorAll<HTMLElement>('[role="tab"]')[(to + tabs.length) % tabs.length]?.focus()
  }
  if (tabs.length === 0) return <span className="tab-note quiet">{note}</span>
  return (
    <div
      ref={strip}
      className="tab-strip"
      role="tablist"
      aria-label="Sandboxes"
      onKeyDown={onKey}
      onWheel={({ deltaY }) => strip.current?.scrollBy({ left: deltaY })}
    >
      {tabs.map(({ id, title, profile, project, state, isAmbiguous }, at) => (
        <button
          key={id}
          type="button"
          role="tab"
          className="tab"
          data-tab={id}
          aria-selected={id === shownId}
          tabIndex={at === Math.max(0, shownAt) ? 0 : -1}
          title={[project, profile, state].filter(Boolean).join(' · ')}
          onClick={() => void showSandbox(id)}
          onAuxClick={({ button }) => button === 1 && state === 'ended' && closeTab(id)}
        >
          <StateGlyph kind={glyphs[state]} />
          <span className="ellipsis">{title}</span>
          {isAmbiguous && <span className="quiet ellipsis tab-profile">{profile}</span>}
          <span className="sr-only">, {state}</span>
        </button>
      ))}
    </div>
  )
}

const glyphs: Record<SandboxTab['state'], Glyph> = { running: 'fresh', starting: 'working', ended: 'ended', lost: 'warning', broken: 'broken' }

/** Launches the project whose sandbox is in sight once more; its page has a button of its own. */
function LaunchAgain({ isCrowded }: { isCrowded: boolean }) {
  const folder = useApp((state) => (state.view.kind === 'sandbox' && state.open[state.view.id]?.exitCode === undefined ? currentProject(state) : null))
  const profiles = useApp((state) => state.profiles)
  const settings = useApp((state) => state.settings)
  const obstacle = useApp((state) => state.obstacle)
  const name = useApp((state) => (folder === null ? '' : state.profileFor(folder)))
  const { requestLaunch, openPalette } = useActions()
  if (folder === null || profiles === null) return null
  const { label } = chooseLaunch(profiles.find((profile) => profile.name === name), settings, obstacle)
  return (
    <div className="launch-again">
      {isCrowded ? (
        <IconButton icon={Play} label={`${another(label)}: ${folder.split('/').at(-1)} with ${name}`} onClick={() => void requestLaunch(folder)} />
      ) : (
        <Button look="quiet" icon={Play} onClick={() => void requestLaunch(folder)} title={`${folder.split('/').at(-1)} with ${name}`}>
          <span className="ellipsis">{another(label)}</span>
        </Button>
      )}
      <IconButton icon={ChevronDown} label="Launch with another profile" onClick={() => openPalette({ kind: 'profiles', folder })} />
    </div>
  )
}
