import { expect, test } from 'vitest'
import type { TerminalDown } from '../../shared/contract/window-contract.ts'
import { createTerminalStreams } from './terminal-streams.ts'

const data = (byte: number): TerminalDown => ({ type: 'data', data: Uint8Array.of(byte) })
const replay: TerminalDown = { type: 'replay', data: '', cols: 80, rows: 24 }

/** The main process's ends of the streams, by terminal. */
function setUp() {
  const ends = new Map<string, { tell: (message: TerminalDown) => void; isClosed: boolean }[]>()
  const streams = createTerminalStreams((terminalId, tell) => {
    const end = { tell, isClosed: false }
    ends.set(terminalId, [...(ends.get(terminalId) ?? []), end])
    return { send() {}, close: () => void (end.isClosed = true) }
  })
  return { ...streams, endsOf: (terminalId: string) => ends.get(terminalId)! }
}

test('a screen gets all that was said before it was there, in its order, once', async () => {
  const { expectTerminal, openTerminal, endsOf } = setUp()
  const seen: TerminalDown[] = []
  expectTerminal('t', () => {})
  const [end] = endsOf('t')
  end!.tell(replay)
  end!.tell(data(1))
  const stream = openTerminal('t', (message) => seen.push(message))
  expect(seen).toEqual([])
  end!.tell(data(2))
  await Promise.resolve()
  end!.tell(data(3))
  expect(seen).toEqual([replay, data(1), data(2), data(3)])
  expect(endsOf('t')).toHaveLength(1)
  stream.close()
  expect(end!.isClosed).toBe(true)
})

test('words are told of, what stood there before is not', () => {
  const { expectTerminal, endsOf } = setUp()
  let words = 0
  expectTerminal('t', () => words++)
  endsOf('t')[0]!.tell({ ...replay, data: 'a warning of Podman' })
  expect(words).toBe(0)
  endsOf('t')[0]!.tell(data(1))
  expect(words).toBe(1)
})

test('a stream that no screen took is closed when it is let go, one that a screen has is not', () => {
  const { expectTerminal, openTerminal, endsOf } = setUp()
  const letGo = [expectTerminal('left', () => {}), expectTerminal('taken', () => {})]
  openTerminal('taken', () => {})
  for (const end of letGo) end()
  expect([endsOf('left')[0]!.isClosed, endsOf('taken')[0]!.isClosed]).toEqual([true, false])
})

test('a screen that is gone at once gets nothing', async () => {
  const { expectTerminal, openTerminal, endsOf } = setUp()
  const seen: TerminalDown[] = []
  expectTerminal('t', () => {})
  endsOf('t')[0]!.tell(data(1))
  openTerminal('t', (message) => seen.push(message)).close()
  await Promise.resolve()
  expect(seen).toEqual([])
})

test('a terminal that was not expected, and one whose screen is made again, get streams of their own', () => {
  const { expectTerminal, openTerminal, endsOf } = setUp()
  openTerminal('other', () => {})
  expect(endsOf('other')).toHaveLength(1)
  expectTerminal('t', () => {})
  openTerminal('t', () => {}).close()
  openTerminal('t', () => {})
  expect(endsOf('t').map(({ isClosed }) => isClosed)).toEqual([true, false])
})
