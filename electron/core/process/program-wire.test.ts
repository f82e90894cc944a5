import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { type ProgramWire, startProgramWire } from './program-wire.ts'

const wires: ProgramWire[] = []
afterEach(() => wires.splice(0).forEach((wire) => wire.destroy()))

async function start(words: readonly [string, ...string[]], take: (piece: Buffer) => void = () => {}, env: Record<string, string> = {}): Promise<ProgramWire> {
  const wire = await startProgramWire(words, env, take)
  wires.push(wire)
  return wire
}
async function until(what: string, look: () => boolean): Promise<void> {
  for (const end = Date.now() + 10_000; !look(); await sleep(5)) if (Date.now() > end) throw new Error(`It did not happen: ${what}`)
}
const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it('carries bytes both ways, in their order, and much of them', async () => {
  const sent = Buffer.from(Array.from({ length: 5_000_000 }, (_, at) => (at * 7 + (at >> 8)) % 256))
  const hash = createHash('sha256')
  let length = 0
  const wire = await start(['cat'], (piece) => {
    hash.update(piece)
    length += piece.length
  })
  for (let at = 0; at < sent.length; at += 70_000) wire.write(sent.subarray(at, at + 70_000))
  await until('all came back', () => length === sent.length)
  expect(hash.digest('hex')).toBe(createHash('sha256').update(sent).digest('hex'))
})

it('ends with its program, and after all that it wrote', async () => {
  let said = ''
  const wire = await start(['sh', '-c', 'printf "%s" "$WORD"; exit 3'], (piece) => void (said += piece.toString()), { WORD: 'last words' })
  await wire.ended
  expect(said).toBe('last words')
  wire.write(Buffer.from('nobody takes it'))
})

it('ends at once where there is no such program', async () => {
  await (await start(['/nonexistent/program'])).ended
})

it('ends the program, and what that started, when told to', async () => {
  let said = ''
  const wire = await start(['sh', '-c', 'sleep 100 & echo $$ $!; wait'], (piece) => void (said += piece.toString()))
  await until('it runs', () => said.includes('\n'))
  const pids = said.trim().split(' ').map(Number)
  wire.destroy()
  await wire.ended
  await until('both are gone', () => !pids.some(isThere))
})

it('leaves no name of its socket', async () => {
  const names = () => readdirSync(tmpdir()).filter((name) => name.startsWith('paddock-wire-'))
  const before = names()
  await start(['cat'])
  expect(names().filter((name) => !before.includes(name))).toEqual([])
})
