import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeCsv, encodeCsv } from './csv.ts'

describe('a line of CSV', () => {
  it.each([
    ['a,b', ['a', 'b']],
    ['', ['']],
    ['a,,b', ['a', '', 'b']],
    ['"a,b",c', ['a,b', 'c']],
    ['"a""b"', ['a"b']],
    ['"a\nb"', ['a\nb']],
    ['"never closed,b', ['never closed,b']],
  ])('%j holds %j', (line, fields) => {
    expect(decodeCsv(line)).toEqual(fields)
  })

  it('leaves plain fields as they are', () => {
    expect(encodeCsv(['type=bind', 'source=/a b', 'ro=true'])).toBe('type=bind,source=/a b,ro=true')
  })

  it('decodes to what was encoded', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (fields) => {
        expect(decodeCsv(encodeCsv(fields))).toEqual(fields)
      }),
    )
  })
})
