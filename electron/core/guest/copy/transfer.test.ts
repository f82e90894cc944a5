import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { FileSession } from './file-session.ts'
import { download, upload } from './transfer.ts'

const handle = Buffer.from('handle')
const content = Buffer.from(Array.from({ length: 6_000_000 }, (_, at) => at % 251))

let folder: string
let source: FileHandle

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'transfer-'))
  await writeFile(join(folder, 'source'), content)
  source = await open(join(folder, 'source'))
})

afterEach(async () => {
  await source.close()
  await rm(folder, { recursive: true })
})

async function aWhile(turns: number): Promise<void> {
  for (; turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve))
}

/** A file whose reads end in another order than they began, as those of a busy disk do. */
function disorderly(file: FileHandle): FileHandle {
  let count = 0
  const read = async (data: Buffer, offset: number, length: number, position: number) => {
    await aWhile(20 - (++count % 16))
    return file.read(data, offset, length, position)
  }
  return { read } as unknown as FileHandle
}

/** A guest's file: requests take effect in the order in which they were sent, and answers come a while later. */
function guestFile(refuses: (count: number) => unknown = () => false) {
  const file = { positions: [] as number[], bytes: Buffer.alloc(0) }
  const session: Pick<FileSession, 'write' | 'setAttributes'> = {
    async write(_handle, data, position) {
      file.positions.push(position)
      if (refuses(file.positions.length)) {
        await aWhile(10)
        throw Object.assign(new Error('Failure'), { code: 4 })
      }
      if (file.bytes.length < position) file.bytes = Buffer.concat([file.bytes, Buffer.alloc(position - file.bytes.length)])
      file.bytes = Buffer.concat([file.bytes.subarray(0, position), data])
      await aWhile(10)
    },
    async setAttributes(_handle, { size }) {
      file.bytes = file.bytes.subarray(0, size)
    },
  }
  return { file, session: session as FileSession }
}

const pace = (signal = new AbortController().signal) => ({ signal, bytes: 0, onBytes(count: number) { this.bytes += count } })
const isBeginning = (bytes: Buffer) => content.subarray(0, bytes.length).equals(bytes)

it('writes into a guest in the order of the file, whatever is read first', async () => {
  const { file, session } = guestFile()
  const told = pace()
  await upload(session, disorderly(source), handle, 0, content.length, told)
  expect(file.positions).toEqual([...file.positions].sort((one, other) => one - other))
  expect(file.bytes.equals(content)).toBe(true)
  expect(told.bytes).toBe(content.length)
})

it('sends nothing more after a cancel, and leaves a beginning of the file', async () => {
  const abort = new AbortController()
  const { file, session } = guestFile((count) => count === 5 && abort.abort())
  await expect(upload(session, disorderly(source), handle, 0, content.length, pace(abort.signal))).rejects.toMatchObject({ report: { code: 'cancelled' } })
  expect(file.positions).toHaveLength(5)
  expect(file.bytes.length).toBeGreaterThan(0)
  expect(isBeginning(file.bytes)).toBe(true)
})

it('cuts off what a guest wrote behind a piece that it refused', async () => {
  const { file, session } = guestFile((count) => count === 4)
  await expect(upload(session, source, handle, 0, content.length, pace())).rejects.toThrow('Failure')
  expect(file.positions.length).toBeGreaterThan(4)
  expect(file.bytes.length).toBe(file.positions[3])
  expect(isBeginning(file.bytes)).toBe(true)
})

it('writes the rest of what a nearly full disk took only in part', async () => {
  const target = await open(join(folder, 'target'), 'w+')
  // In the middle of one of several pieces, and at the end of one.
  const most = [300_000, 192 * 1024, 50_000]
  let writes = 0
  const short = { writev: (pieces: Buffer[], position: number) => target.write(Buffer.concat(pieces).subarray(0, most[writes++ % 3]), 0, undefined, position) } as unknown as FileHandle
  const session = { read: async (_handle: Buffer, position: number, into: Buffer) => content.copy(into, 0, position, position + into.length) } as unknown as FileSession
  await download(session, handle, short, 0, content.length, pace())
  expect((await target.readFile()).equals(content)).toBe(true)
  await target.close()
})
