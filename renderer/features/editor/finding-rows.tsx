import type { TextFinding } from '../../../shared/domain/text-finding.ts'
import { Button } from '../../ui/button.tsx'
import { type Glyph, StateGlyph } from '../../ui/state-glyph.tsx'

export const findingGlyphs: Record<TextFinding['level'], Glyph> = { error: 'broken', warning: 'warning', note: 'missing' }

export interface FindingRowsProps {
  findings: readonly TextFinding[]
  onShow: (finding: TextFinding) => void
  onFix: (finding: TextFinding) => void
}

/** All findings in the order of the text, each with a way to its place and its fix. */
export function FindingRows({ findings, onShow, onFix }: FindingRowsProps) {
  return (
    <ul className="finding-rows" aria-label="Findings">
      {findings.map((finding, at) => {
        const { level, rule, line, message, why, fix } = finding
        return (
          <li key={`${rule} ${at}`}>
            <button type="button" className="finding-row" onClick={() => onShow(finding)}>
              <StateGlyph kind={findingGlyphs[level]} />
              <span className="sr-only">{level}, </span>
              <span className="finding-line quiet">Line {line}</span>
              <span className="finding-words">
                {message} <span className="quiet">{why}</span>
              </span>
            </button>
            {fix && <Button onClick={() => onFix(finding)}>{fix.title}</Button>}
          </li>
        )
      })}
    </ul>
  )
}
