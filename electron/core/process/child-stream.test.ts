import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type ChildStream, startChildStream } from './child-stream.ts'

async function readAll(stream: ChildStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

describe('a program as a stream', () => {
  it('gets what is written, in its order, and hands back what it prints', async () => {
    const stream = startChildStream(['cat'])
    const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => at % 251))
    const back = readAll(stream)
    for (let at = 0; at < bytes.length; at += 1_009) stream.write(bytes.subarray(at, at + 1_009))
    stream.end()
    expect((await back).equals(bytes)).toBe(true)
  })

  it('makes the writer wait for a program that does not read', async () => {
    const stream = startChildStream(['sleep', '60'])
    for (let written = 0; written < 100; written++) stream.write(Buffer.alloc(64 * 1024))
    await new Promise((resolve) => setImmediate(resolve))
    expect(stream.writableLength).toBeGreaterThan(5_000_000)
    stream.destroy()
  })

  it('keeps the end of what it complains', async () => {
    const stream = startChildStream(['sh', '-c', 'head -c 5000 /dev/zero | tr "\\0" x >&2; echo last >&2'])
    await readAll(stream)
    expect(stream.complaint()).toHaveLength(1_999)
    expect(stream.complaint()).toMatch(/xlast$/)
  })

  it('keeps a letter whole whose bytes come in two pieces', async () => {
    const stream = startChildStream(['sh', '-c', 'printf "gr\\303" >&2; read -r line; printf "\\274n" >&2'])
    stream.resume()
    await expect.poll(() => stream.complaint()).toMatch(/^gr/)
    stream.end('\n')
    await once(stream, 'end')
    expect(stream.complaint()).toBe('grün')
  })

  it('ends the program and what it started when it is destroyed', async () => {
    const stream = startChildStream(['sh', '-c', 'sleep 1000 & echo $!; wait'])
    const [chunk] = (await once(stream, 'data')) as [Buffer]
    const pid = Number(chunk.toString())
    expect(isAlive(pid)).toBe(true)
    stream.destroy()
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  it('fails when the program cannot be started', async () => {
    const stream = startChildStream(['/no/such/program'])
    expect(await once(stream, 'error')).toMatchObject([{ code: 'ENOENT' }])
  })
})

/** One that has ended may wait for whoever has it now to notice. */
function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
