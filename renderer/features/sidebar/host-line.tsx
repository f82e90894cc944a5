import { useActions, useApp } from '../../store/context.tsx'
import { type Glyph, StateGlyph } from '../../ui/state-glyph.tsx'

/** The host in one line; the page behind it tells more. */
export function HostLine() {
  const isConnected = useApp((state) => state.isConnected)
  const obstacle = useApp((state) => state.obstacle)
  const fails = useApp(({ checks }) => (checks ?? []).filter(({ status }) => status === 'fail').length)
  const { openPanel } = useActions()
  const isUnknown = useApp((state) => state.isIsolationUnknown)
  const warnings = useApp(({ checks }) => (checks ?? []).filter(({ status }) => status === 'warn').length)
  const { kind, word } = stateOf(isConnected, obstacle, fails, warnings, isUnknown)
  return (
    <button type="button" className="host-line" onClick={() => openPanel({ kind: 'host' })}>
      <StateGlyph kind={kind} />
      <span>Host</span>
      <span className="row-word ellipsis grow">{word}</span>
    </button>
  )
}

function stateOf(isConnected: boolean, obstacle: object | null | undefined, fails: number, warnings: number, isUnknown: boolean): { kind: Glyph; word: string } {
  if (!isConnected) return { kind: 'broken', word: 'no answer' }
  if (fails > 0) return { kind: 'broken', word: fails === 1 ? '1 fault' : `${fails} faults` }
  if (isUnknown) return { kind: 'warning', word: 'not known' }
  if (obstacle === undefined) return { kind: 'missing', word: 'looking…' }
  if (obstacle !== null) return { kind: 'warning', word: 'no microVMs' }
  if (warnings > 0) return { kind: 'warning', word: warnings === 1 ? '1 warning' : `${warnings} warnings` }
  return { kind: 'fresh', word: 'ready' }
}
