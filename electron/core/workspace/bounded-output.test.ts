import { describe, expect, it } from 'vitest'
import { createBoundedOutput } from './bounded-output.ts'

function outputOf(text: string, maxBytes: number, size = 7) {
  const output = createBoundedOutput(maxBytes)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) output.push(bytes.subarray(at, at + size))
  return output
}

describe('bounded output', () => {
  it('is all of what is no longer than the limit', () => {
    expect(outputOf('a'.repeat(100), 100).text()).toEqual({ text: 'a'.repeat(100), omittedBytes: 0 })
    expect(outputOf('', 100).text()).toEqual({ text: '', omittedBytes: 0 })
  })

  it('is the beginning and the end of what is longer, and says how much is missing', () => {
    const { text, omittedBytes } = outputOf(`begin${'x'.repeat(500_000)}end`, 20, 1_000).text()
    expect(text).toBe(`begin${'x'.repeat(5)}\n[… 499988 bytes left out …]\n${'x'.repeat(7)}end`)
    expect(omittedBytes).toBe(499_988)
  })

  it('cuts no character in two', () => {
    for (let max = 8; max < 24; max++) expect(outputOf('€ä😀'.repeat(50), max, 5).text().text).not.toContain('\ufffd')
  })

  it('keeps no more than it has to of a flood', () => {
    const output = createBoundedOutput(100)
    for (let at = 0; at < 1_000; at++) output.push(Buffer.alloc(10_000, 'y'))
    expect(output.total).toBe(10_000_000)
    expect(output.text().text.length).toBeLessThan(200)
  })
})
