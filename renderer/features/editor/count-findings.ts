import type { TextFinding } from '../../../shared/domain/text-finding.ts'

const names = { error: ['error', 'errors'], warning: ['warning', 'warnings'], note: ['note', 'notes'] } as const

/** How many there are of each kind: `2 errors, 1 note`. Pure. */
export function countFindings(findings: readonly TextFinding[]): string {
  const levels = ['error', 'warning', 'note'] as const
  const counts = levels.map((level) => [level, findings.filter((one) => one.level === level).length] as const)
  return counts.flatMap(([level, count]) => (count > 0 ? [`${count} ${names[level][count === 1 ? 0 : 1]}`] : [])).join(', ')
}
