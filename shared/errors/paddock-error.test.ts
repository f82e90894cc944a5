import { describe, expect, it } from 'vitest'
import { errorCodes, exitCodeOf, PaddockError, toErrorReport } from './paddock-error.ts'

describe('toErrorReport', () => {
  it('passes on what Paddock says on purpose', () => {
    const report = { code: 'usage' as const, message: 'No.', hint: 'Yes.', exitCode: 3 }
    expect(toErrorReport(new PaddockError(report))).toEqual(report)
  })

  it.each([
    [new TypeError('x is not a function'), 'Unexpected failure: x is not a function'],
    ['a string', 'Unexpected failure: a string'],
    [undefined, 'Unexpected failure: undefined'],
    [null, 'Unexpected failure: null'],
  ])('calls anything else a defect: %s', (thrown, message) => {
    expect(toErrorReport(thrown)).toMatchObject({ code: 'internal', message })
  })
})

describe('exitCodeOf', () => {
  it('is 2 for the person’s words, 130 for Ctrl-C and 125 for all else', () => {
    const expected = { usage: 2, 'settings-invalid': 2, 'profile-unknown': 2, 'profile-not-runnable': 2, 'profile-exists': 2, 'profile-refused': 2, 'project-refused': 2, 'sandbox-unknown': 2, cancelled: 130 } as Record<string, number>
    expect(Object.fromEntries(errorCodes.map((code) => [code, exitCodeOf(code)]))).toEqual(Object.fromEntries(errorCodes.map((code) => [code, expected[code] ?? 125])))
  })
})
