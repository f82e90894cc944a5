import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMessageReader, encodeMessage } from './message.ts'

describe('messages', () => {
  it('come out as they went in, in pieces of any size', () => {
    const fields = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 6 })
    fc.assert(
      fc.property(fc.array(fields, { maxLength: 5 }), fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (messages, sizes) => {
        const bytes = Buffer.concat(messages.map((message) => encodeMessage(message)))
        const read = createMessageReader(10_000)
        const got = []
        for (let at = 0, turn = 0; at < bytes.length; turn++) {
          const size = sizes[turn % sizes.length]!
          got.push(...read(bytes.subarray(at, at + size)))
          at += size
        }
        expect(got.map((message) => message.map((field) => [...field]))).toEqual(messages.map((message) => message.map((field) => [...field])))
      }),
    )
  })

  it('that are too long, or whose fields are, are refused', () => {
    expect(() => createMessageReader(3)(encodeMessage(['x']))).toThrow(/too long/)
    expect(() => createMessageReader(99)(Buffer.from([0, 0, 0, 5, 0, 0, 0, 2, 1]))).toThrow(/longer than its message/)
    expect(() => createMessageReader(99)(Buffer.from([0, 0, 0, 2, 0, 0]))).toThrow(/within a count/)
  })
})
