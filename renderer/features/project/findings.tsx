import type { Finding } from '../../../shared/domain/finding.ts'
import { StateGlyph } from '../../ui/state-glyph.tsx'

const order: Record<Finding['level'], number> = { high: 0, medium: 1, low: 2 }
const words: Record<Finding['level'], string> = { high: 'Dangerous', medium: 'Weaker', low: 'Good to know' }

/** What a person should know about a profile's run label, the worst first; what merely differs folds out. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const sorted = [...findings].sort((a, b) => order[a.level] - order[b.level])
  const grave = sorted.filter(({ level }) => level !== 'low')
  const light = sorted.filter(({ level }) => level === 'low')
  return (
    <>
      {grave.length > 0 && <FindingList findings={grave} />}
      {light.length > 0 && (
        <details className="fold">
          <summary>{light.length === 1 ? '1 more thing to know' : `${light.length} more things to know`}</summary>
          <FindingList findings={light} />
        </details>
      )}
    </>
  )
}

export function FindingList({ findings }: { findings: readonly Finding[] }) {
  return (
    <ul className="findings" aria-label="Findings">
      {findings.map(({ level, rule, message }, at) => (
        <li key={`${rule} ${at}`}>
          <StateGlyph kind={level === 'high' ? 'broken' : level === 'medium' ? 'warning' : 'missing'} />
          <span className={`finding-level ${level}`}>{words[level]}</span>
          <span className="selectable">{message}</span>
        </li>
      ))}
    </ul>
  )
}
