import { describe, expect, it } from 'vitest'
import { fromFile, toFile } from './line-ends.ts'

describe('the line ends of a file', () => {
  it.each([
    ['LF', 'FROM a\nRUN b\n', 'FROM a\nRUN b\n'],
    ['CR LF', 'FROM a\r\nRUN b\r\n', 'FROM a\nRUN b\n'],
    ['a mix', 'FROM a\r\nRUN b\n', 'FROM a\r\nRUN b\n'],
    ['a lone CR among CR LF', 'FROM a\r\nRUN \rb\r\n', 'FROM a\r\nRUN \rb\r\n'],
    ['none', 'FROM a', 'FROM a'],
  ])('%s are as they were when the text is written back', (_kind, written, held) => {
    const read = fromFile(written)
    expect(read.text).toBe(held)
    expect(toFile(read)).toBe(written)
  })

  it('are given to new lines as well', () => {
    const { text, eol } = fromFile('FROM a\r\n')
    expect(toFile({ text: `${text}RUN b\n`, eol })).toBe('FROM a\r\nRUN b\r\n')
  })
})
