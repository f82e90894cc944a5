import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { openTerminal, type Terminal } from './terminal.ts'

const terminals: Terminal[] = []
afterEach(() => terminals.splice(0).forEach((terminal) => terminal.kill()))

function open(script: string): Terminal {
  const terminal = openTerminal(['sh', '-c', script], { LC_ALL: 'C.UTF-8' })
  terminals.push(terminal)
  return terminal
}

interface Reader {
  replay: string
  readonly text: string
  bytes: number
  exitCode: number | null
  /** Takes nothing while true. */
  isStopped: boolean
  close(): void
}

/** A view that takes what it gets after a delay, or at once. */
function follow(terminal: Terminal, { delayMs = 0, isStopped = false } = {}): Reader {
  const chunks: Buffer[] = []
  let owed = 0
  const reader: Reader = {
    replay: '',
    bytes: 0,
    exitCode: null,
    isStopped,
    get text() {
      return Buffer.concat(chunks).toString()
    },
    close: () => {
      clearInterval(timer)
      view.close()
    },
  }
  const take = () => {
    if (reader.isStopped || owed === 0) return
    view.taken(owed)
    owed = 0
  }
  const view = terminal.view({
    onReplay: ({ data }) => {
      reader.replay = data
    },
    onData: (data) => {
      chunks.push(Buffer.from(data))
      reader.bytes += data.length
      owed += data.length
      if (delayMs === 0) take()
    },
    onExit: (code) => {
      reader.exitCode = code
      clearInterval(timer)
    },
  })
  const timer = setInterval(take, delayMs || 20)
  return reader
}

/** Waits until something holds; a test's own limit is too far away to say what did not. */
async function until(what: string, look: () => boolean, timeoutMs = 10_000): Promise<void> {
  for (const end = Date.now() + timeoutMs; !look(); await sleep(5)) if (Date.now() > end) throw new Error(`It did not happen: ${what}`)
}

/** Numbered lines of 100 bytes, as the terminal sends them. */
const lines = (count: number) => `seq -f '%098.0f' ${count}`
const lineBytes = 100

describe('flow', () => {
  test('loses no byte of a flood to a slow reader, the last ones of an ended program included', async () => {
    const count = 200_000
    const terminal = open(`sleep 0.2; ${lines(count)}`)
    const reader = follow(terminal, { delayMs: 3 })
    await until('the end', () => reader.exitCode !== null, 60_000)
    expect(reader.bytes).toBe(count * lineBytes)
    const numbers = reader.text.split('\r\n').slice(0, -1)
    expect(numbers.findIndex((line, index) => Number(line) !== index + 1)).toBe(-1)
    expect(numbers).toHaveLength(count)
  })

  test('keeps what a program wrote last for a reader that looks only long after its end', async () => {
    const terminal = open(`sleep 0.2; ${lines(4_000)}`)
    const reader = follow(terminal, { isStopped: true })
    await sleep(1_500)
    reader.isStopped = false
    await until('the end', () => reader.exitCode !== null)
    expect(reader.bytes).toBe(4_000 * lineBytes)
  })

  test('hands on the rest of a program that ended while its reader took nothing', async () => {
    const terminal = open(`sleep 0.2; ${lines(2_700)}`)
    const reader = follow(terminal, { isStopped: true })
    await until('the end', () => reader.exitCode !== null)
    expect(reader.bytes).toBe(2_700 * lineBytes)
  })

  test('stops the program while a reader takes nothing, and goes on when it does', async () => {
    const terminal = open('sleep 0.2; yes')
    const reader = follow(terminal, { isStopped: true })
    await sleep(700)
    const stopped = reader.bytes
    // What the reader may owe, one read and the kernel's own buffer.
    expect(stopped).toBeGreaterThan(200_000)
    expect(stopped).toBeLessThan(512 * 1024)
    await sleep(500)
    expect(reader.bytes).toBe(stopped)
    reader.isStopped = false
    await until('more', () => reader.bytes > stopped + 1024 * 1024)
  })

  test('a reader that goes away stops nothing', async () => {
    const terminal = open('sleep 0.2; yes')
    const gone = follow(terminal, { isStopped: true })
    await sleep(500)
    gone.close()
    const reader = follow(terminal)
    await until('more', () => reader.bytes > 1024 * 1024)
  })

  test('answers Ctrl-C at once in the middle of a flood', async () => {
    const terminal = open("trap 'exit 7' INT; yes & wait")
    const reader = follow(terminal, { delayMs: 5 })
    await until('the flood', () => reader.bytes > 1024 * 1024)
    const pressed = Date.now()
    terminal.write('\u0003')
    expect(await terminal.ended).toBe(7)
    expect(Date.now() - pressed).toBeLessThan(500)
  })

  test('needs no more memory after a flood of 60 MB than after one of 20 MB', async () => {
    const terminal = open('sleep 0.1; yes 0123456789012345678901234567890123456789')
    let seen = 0
    terminal.view({ onReplay: () => {}, onData: (data) => (seen += data.length), onExit: () => {} }).close()
    const view = terminal.view({
      onReplay: () => {},
      onData: (data) => {
        seen += data.length
        view.taken(data.length)
      },
      onExit: () => {},
    })
    const rss = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024
    await until('20 MB', () => seen > 20e6, 60_000)
    const before = rss()
    await until('60 MB', () => seen > 60e6, 60_000)
    expect(rss() - before).toBeLessThan(60)
  })
})

describe('views', () => {
  test('a view that comes in the middle of the output gets all of it, nothing twice', async () => {
    const count = 4_000
    const terminal = open(`sleep 0.1; ${lines(count)}; sleep 0.3`)
    const first = follow(terminal)
    const late: Reader[] = []
    for (let nth = 1; nth <= 4; nth++) {
      await until('more', () => first.bytes > (nth * count * lineBytes) / 6)
      late.push(follow(terminal))
    }
    await until('the end', () => late.every(({ exitCode }) => exitCode !== null))
    for (const { replay, text } of late) {
      // The kept screen is narrower than a line and its scrollback begins in the middle of one.
      const all = (replay + text).replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replace(/[^0-9]/g, '')
      const digits = all.slice(all.length % 98)
      const numbers = (digits.match(/.{98}/g) ?? []).map(Number)
      expect(numbers.at(-1)).toBe(count)
      expect(numbers.length).toBeGreaterThan(1_000)
      expect(numbers.findIndex((number, index) => number !== numbers[0]! + index)).toBe(-1)
    }
  })

  test('a character that is cut in two is whole for who comes between, and for who was there', async () => {
    const terminal = open("stty -echo; printf 'a\\303'; read -r _; printf '\\274b\\360\\237'; read -r _; printf '\\221\\215c'")
    const first = follow(terminal)
    await until('the first half', () => first.replay.includes('a') || first.text.includes('a'))
    const second = follow(terminal)
    await sleep(100)
    terminal.write('\r')
    await until('the second half', () => second.text.includes('b'))
    const third = follow(terminal)
    await sleep(100)
    terminal.write('\r')
    await terminal.ended
    await sleep(50)
    for (const reader of [first, second, third]) expect((reader.replay + reader.text).replace(/[\r\n]/g, '')).toBe('aüb👍c')
  })

  test('a colour that is cut in two does not spill onto the screen of who comes between', async () => {
    const terminal = open("stty -echo; printf 'a\\033[3'; read -r _; printf '1mb'")
    const first = follow(terminal)
    await until('the first half', () => (first.replay + first.text).includes('a'))
    const second = follow(terminal)
    await sleep(100)
    terminal.write('\r')
    await terminal.ended
    await sleep(50)
    expect(second.replay + second.text).toContain('a\u001b[31mb')
  })

  test('the first view gets the program’s own words, its questions too; a later one only what they drew', async () => {
    const terminal = openTerminal(['/bin/sh', '-c', "printf '\\033[cready\\n'"], {})
    await terminal.ended
    const [first, second] = [follow(terminal), follow(terminal)]
    await until('both have their screens', () => first.exitCode === 0 && second.exitCode === 0)
    expect(first.replay).toBe('\u001b[cready\r\n')
    expect(second.replay).toContain('ready')
    expect(second.replay).not.toContain('\u001b[c')
  })

  test('a view on an ended program still gets its screen and its exit code', async () => {
    const terminal = open('echo said; exit 5')
    expect(await terminal.ended).toBe(5)
    const reader = follow(terminal)
    await until('the end', () => reader.exitCode !== null)
    expect([reader.replay, reader.exitCode]).toEqual([expect.stringContaining('said'), 5])
  })
})

describe('the program', () => {
  test('hears of a new size, and keys after its end do no harm', async () => {
    const terminal = open("trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.05; done")
    const reader = follow(terminal)
    await until('the program', () => (reader.replay + reader.text).includes('ready'))
    terminal.resize(123, 45)
    await terminal.ended
    expect(reader.text).toContain('45 123')
    terminal.write('x')
    terminal.resize(80, 24)
    terminal.kill()
  })

  test.each([
    ['its own exit code', 'exit 3', 3],
    ['128 and the number of the signal that ended it', 'kill -TERM $$', 143],
  ])('ends with %s', async (_what, script, code) => {
    expect(await open(script).ended).toBe(code)
  })

  test('one that does not exist ends at once and says why', async () => {
    const terminal = openTerminal(['/no/such/program'], {})
    expect(await terminal.ended).toBeGreaterThan(0)
  })

  test('kill ends a client that ignores every other signal', async () => {
    const terminal = open("trap '' HUP TERM INT; echo ready; while :; do sleep 0.05; done")
    const reader = follow(terminal)
    await until('the program', () => (reader.replay + reader.text).includes('ready'))
    terminal.kill()
    expect(await terminal.ended).toBe(137)
  })
})
