import type { Diagnostic } from '@codemirror/lint'
import type { TextFinding } from '../../../shared/domain/text-finding.ts'

const severities = { error: 'error', warning: 'warning', note: 'info' } as const

/** A finding as the editor draws it; none where its place is not in the text any more. Words only ever become text nodes. */
export function toDiagnostic(finding: TextFinding, length: number, onFix: (finding: TextFinding) => void): Diagnostic[] {
  const { level, message, why, start, end, fix } = finding
  if (start > length) return []
  return [{
    from: start,
    to: Math.min(end, length),
    severity: severities[level],
    message: `${message} ${why}`,
    renderMessage() {
      const box = document.createElement('div')
      const [what, reason] = [message, why].map((text) => {
        const line = document.createElement('p')
        line.textContent = text
        return line
      })
      reason!.className = 'quiet'
      box.append(what!, reason!)
      return box
    },
    actions: fix ? [{ name: fix.title, apply: () => onFix(finding) }] : [],
  }]
}
