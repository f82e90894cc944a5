import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWholeOutput } from './whole-output.ts'

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const text = (data: Uint8Array) => Buffer.from(data).toString('latin1')

describe('whole output', () => {
  it.each([
    ['plain text', 'abc', 'abc'],
    ['a finished colour', '\u001b[31mred', '\u001b[31mred'],
    ['an unfinished colour', 'x\u001b[3', 'x'],
    ['a lone escape', 'x\u001b', 'x'],
    ['an unfinished title', 'x\u001b]0;ti', 'x'],
    ['a title whose terminator is cut', 'x\u001b]0;ti\u001b', 'x'],
    ['a finished title', '\u001b]0;ti\u0007', '\u001b]0;ti\u0007'],
    ['an unfinished character set', 'x\u001b(', 'x'],
  ])('hands on of %s what is whole', (_what, given, whole) => {
    const output = createWholeOutput()
    expect(text(output.add(bytes(given)))).toBe(whole)
    expect(whole + text(output.end())).toBe(given)
  })

  it('never cuts a character, wherever the chunks end', () => {
    const given = Buffer.from('aü日👍z'.repeat(3))
    for (let size = 1; size < 6; size++) {
      const output = createWholeOutput()
      let seen = ''
      for (let at = 0; at < given.length; at += size) seen += new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(output.add(given.subarray(at, at + size)))
      expect(seen).toBe(given.toString())
    }
  })

  it('does not hold back more than a kilobyte', () => {
    const long = bytes(`\u001b]52;c;${'A'.repeat(5_000)}`)
    expect(createWholeOutput().add(long)).toHaveLength(long.length)
  })

  it('loses and repeats nothing of any bytes', () => {
    const chunk = fc.uint8Array({ maxLength: 9 }).map((array) => array.map((byte) => (byte % 7 === 0 ? 0x1b : byte)))
    fc.assert(
      fc.property(fc.array(chunk), (chunks) => {
        const output = createWholeOutput()
        const seen = Buffer.concat([...chunks.map((data) => Buffer.from(output.add(data))), output.end()])
        expect(seen.equals(Buffer.concat(chunks))).toBe(true)
      }),
    )
  })
})
