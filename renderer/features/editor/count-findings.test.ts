import { expect, test } from 'vitest'
import type { TextFinding } from '../../../shared/domain/text-finding.ts'
import { countFindings } from './count-findings.ts'

const finding = (level: TextFinding['level']): TextFinding => ({ level, rule: 'r', message: 'What.', why: 'Why.', line: 1, column: 1, start: 0, end: 4, fix: null })

test('findings are counted by their kind, the worst first', () => {
  expect(countFindings([finding('note'), finding('error'), finding('error'), finding('warning')])).toBe('2 errors, 1 warning, 1 note')
  expect(countFindings([finding('note')])).toBe('1 note')
  expect(countFindings([])).toBe('')
})
