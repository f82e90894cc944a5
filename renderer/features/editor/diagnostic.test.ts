import { expect, test } from 'vitest'
import type { TextFinding } from '../../../shared/domain/text-finding.ts'
import { toDiagnostic } from './diagnostic.ts'

const finding = (level: TextFinding['level'], rest: Partial<TextFinding> = {}): TextFinding => ({ level, rule: 'r', message: 'What.', why: 'Why.', line: 1, column: 1, start: 0, end: 4, fix: null, ...rest })

test('a finding is drawn within the text that there is, with its fix as an action', () => {
  const fixed: TextFinding[] = []
  const mended = finding('error', { fix: { title: 'Mend', edits: [] } })
  const [diagnostic] = toDiagnostic(mended, 3, (one) => fixed.push(one))
  expect(diagnostic).toMatchObject({ from: 0, to: 3, severity: 'error', message: 'What. Why.' })
  diagnostic!.actions![0]!.apply(undefined as never, 0, 3)
  expect(fixed).toEqual([mended])
  expect(toDiagnostic(finding('note', { start: 9, end: 12 }), 3, () => {})).toEqual([])
})
