import { describe, expect, it } from 'vitest'
import { type FileBytesWire, fileBytesWire } from './file-bytes.ts'

const handle = Buffer.from('h')
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const packet = (type: number, ...parts: Buffer[]) => {
  const body = Buffer.concat([Buffer.from([type]), ...parts])
  return Buffer.concat([u32(body.length), body])
}
const text = (value: string) => Buffer.concat([u32(value.length), Buffer.from(value)])
const dataOf = (id: Buffer, value: string) => packet(103, id, text(value))
const status = (id: Buffer, code: number, why: string) => packet(101, id, u32(code), text(why), text(''))

interface Tried {
  wire: FileBytesWire
  sent: Buffer[]
  others: Buffer[]
  /** The request's id, as it stands in what was sent. */
  idOf: (request: number) => Buffer
}

function tried(): Tried {
  const sent: Buffer[] = []
  const others: Buffer[] = []
  return { wire: fileBytesWire((bytes) => void sent.push(Buffer.from(bytes)), (bytes) => void others.push(Buffer.from(bytes))), sent, others, idOf: (request) => sent[request]!.subarray(5, 9) }
}
const read = (wire: FileBytesWire, into: Buffer) => new Promise<number | undefined>((resolve, reject) => wire.read(handle, into, 7, (error, count) => (error ? reject(error) : resolve(count))))
const write = (wire: FileBytesWire, data: Buffer) => new Promise<void>((resolve, reject) => wire.write(handle, data, 2 ** 40, (error) => (error ? reject(error) : resolve())))

describe('bytes of files on a wire of SFTP', () => {
  it.each([1, 2, 5, 13, 1_000])('are told from all else that comes, in pieces of %i', async (length) => {
    const { wire, sent, others, idOf } = tried()
    const [one, two] = [Buffer.alloc(5), Buffer.alloc(9)]
    const [reads, writes] = [[read(wire, one), read(wire, two)], write(wire, Buffer.from('data'))]
    expect(Buffer.concat(sent.slice(2)).subarray(9)).toEqual(Buffer.concat([text('h'), Buffer.from([0, 0, 1, 0, 0, 0, 0, 0]), text('data')]))
    const [version, foreign] = [packet(2, u32(3)), dataOf(u32(5), 'for ssh2')]
    const all = Buffer.concat([version, dataOf(idOf(1), 'two'), foreign, status(idOf(2), 0, 'ok'), dataOf(idOf(0), 'one..')])
    for (let at = 0; at < all.length; at += length) wire.take(all.subarray(at, at + length))
    expect(await Promise.all(reads)).toEqual([5, 3])
    await writes
    expect([one.toString(), two.toString('utf8', 0, 3)]).toEqual(['one..', 'two'])
    expect(Buffer.concat(others)).toEqual(Buffer.concat([version, foreign]))
  })

  it('fail as the server says, with its status', async () => {
    const { wire, idOf } = tried()
    const [reading, writing, odd, handleGot] = [read(wire, Buffer.alloc(4)), write(wire, Buffer.from('x')), write(wire, Buffer.from('x')), read(wire, Buffer.alloc(4))]
    wire.take(Buffer.concat([status(idOf(0), 1, 'end'), status(idOf(1), 4, 'no room'), dataOf(idOf(3), 'data'), packet(102, idOf(5), text('h'))]))
    await expect(reading).rejects.toMatchObject({ code: 1, message: 'end' })
    await expect(writing).rejects.toMatchObject({ code: 4, message: 'no room' })
    await expect(odd).rejects.toThrow('wrong kind')
    await expect(handleGot).rejects.toThrow('wrong kind')
  })

  it.each<[string, (id: Buffer) => Buffer]>([
    ['more data than was asked for', (id) => dataOf(id, 'too much')],
    ['another length of data than of the packet', (id) => packet(103, id, u32(2), Buffer.from('xyz'))],
    ['a length below nothing', () => Buffer.alloc(9, 0xff)],
    ['no room for an id', () => Buffer.concat([u32(3), Buffer.alloc(20)])],
    ['a packet larger than any', () => Buffer.concat([u32(1 << 30), Buffer.alloc(20)])],
  ])('end with %s', (_what, answer) => {
    const { wire, idOf } = tried()
    const into = Buffer.alloc(4)
    wire.read(handle, into, 0, () => {})
    expect(() => wire.take(answer(idOf(0)))).toThrow()
    expect(into).toEqual(Buffer.alloc(4))
  })

  it('come once for one request', () => {
    const { wire, others, idOf } = tried()
    let count = 0
    wire.read(handle, Buffer.alloc(4), 0, () => void count++)
    wire.take(Buffer.concat([dataOf(idOf(0), 'once'), dataOf(idOf(0), 'more')]))
    expect(count).toBe(1)
    expect(Buffer.concat(others)).toEqual(dataOf(idOf(0), 'more'))
  })
})
