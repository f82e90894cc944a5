import { createHash } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { openPty, type Pty } from './pty.ts'

const ptys: Pty[] = []
const folder = mkdtempSync(join(tmpdir(), 'paddock-pty-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => ptys.splice(0).forEach((pty) => pty.kill()))

function open(script: string) {
  let text = ''
  let tellEnd: (code: number) => void
  const ended = new Promise<number>((resolve) => (tellEnd = resolve))
  const pty = openPty({
    command: ['sh', '-c', script],
    env: { LC_ALL: 'C.UTF-8' },
    cols: 80,
    rows: 24,
    onData: (data) => (text += Buffer.from(data).toString()),
    onExit: (code) => tellEnd(code),
  })
  ptys.push(pty)
  return { pty, ended, said: () => text, says: (words: string) => until(words, () => text.includes(words)) }
}

async function until(what: string, look: () => boolean, timeoutMs = 10_000): Promise<void> {
  for (const end = Date.now() + timeoutMs; !look(); await sleep(5)) if (Date.now() > end) throw new Error(`It did not happen: ${what}`)
}

const rssMib = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]) / 1024

describe('a program that never reads', () => {
  test('costs neither memory nor turns of the event loop, however much is sent to it', async () => {
    const { pty, says } = open('stty raw -echo; echo ready; exec sleep 60')
    await says('ready')
    const chunk = 'x'.repeat(64 * 1024)
    const before = rssMib()
    const answers: boolean[] = []
    let latestMs = 0
    for (let sent = 0; sent < 64 * 1024 * 1024; sent += chunk.length) {
      answers.push(pty.write(chunk))
      if (sent % (4 * 1024 * 1024) !== 0) continue
      const began = performance.now()
      await sleep(10)
      latestMs = Math.max(latestMs, performance.now() - began)
    }
    expect(rssMib() - before).toBeLessThan(40)
    expect(latestMs).toBeLessThan(500)
    expect([answers[0], answers.at(-1)]).toEqual([true, false])
    const cpu = process.cpuUsage()
    await sleep(1_000)
    const { user, system } = process.cpuUsage(cpu)
    expect((user + system) / 1_000).toBeLessThan(300)
  })

  test('is sent answers of a few bytes without end, and they cost no more than they weigh', async () => {
    const { pty, says } = open('stty raw -echo; echo ready; exec sleep 60')
    await says('ready')
    const before = rssMib()
    for (let sent = 0; sent < 500_000; sent++) pty.write('\u001b[?1;2c')
    expect(rssMib() - before).toBeLessThan(40)
  })
})

describe('input', () => {
  test('reaches a program that reads late: every byte, in its order', async () => {
    const text = Array.from({ length: 60_000 }, (_, at) => `${at}\n`).join('')
    const { pty, said, says, ended } = open(`stty raw -echo; echo ready; sleep 1; head -c ${text.length} | sha256sum`)
    await says('ready')
    for (let at = 0; at < text.length; at += 5_000) expect(pty.write(text.slice(at, at + 5_000))).toBe(true)
    expect(await ended).toBe(0)
    expect(said()).toContain(createHash('sha256').update(text).digest('hex'))
  })

  test('of bytes goes in as they are, text as UTF-8', async () => {
    const { pty, said, says, ended } = open('stty raw -echo; echo ready; head -c 8 | od -An -tx1')
    await says('ready')
    pty.write(Uint8Array.of(0x1b, 0x5b, 0x4d, 0x20, 0x9f, 0xff))
    pty.write('ÿ')
    expect(await ended).toBe(0)
    expect(said()).toContain('1b 5b 4d 20 9f ff c3 bf')
  })

  test('of many megabytes goes in whole, and the event loop goes on meanwhile', async () => {
    const text = 'a large paste\n'.repeat(600_000)
    const { pty, said, says, ended } = open(`stty raw -echo; echo ready; head -c ${text.length} | sha256sum`)
    await says('ready')
    let isOver = false
    void ended.then(() => (isOver = true))
    expect(pty.write(text)).toBe(true)
    let latestMs = 0
    while (!isOver) {
      const began = performance.now()
      await sleep(10)
      latestMs = Math.max(latestMs, performance.now() - began)
    }
    expect(latestMs).toBeLessThan(500)
    expect(said()).toContain(createHash('sha256').update(text).digest('hex'))
  })
})

/** Terminals that this process holds, by their descriptors. */
function heldTerminals(): number[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return /^\/dev\/(ptmx|pts\/ptmx)$/.test(readlinkSync(`/proc/self/fd/${fd}`)) ? [Number(fd)] : []
    } catch {
      // The descriptor that lists the folder is closed again.
      return []
    }
  })
}

test('a program that lets go of its terminal and lives on: keys and sizes do no harm, least of all to another file', async () => {
  const before = heldTerminals()
  const { pty, says, ended } = open("trap '' HUP; echo ready; read -r _; exec sleep 1 <&- >&- 2>&-")
  const [fd] = heldTerminals().filter((held) => !before.includes(held))
  expect(fd).toBeDefined()
  await says('ready')
  pty.write('\r')
  await until('closed', () => !heldTerminals().includes(fd!))
  expect(() => pty.resize(100, 30)).not.toThrow()
  // The lowest free number is given out first, so one of these files has the terminal's.
  const files: number[] = []
  while (!files.includes(fd!) && files.length < 100) files.push(openSync(join(folder, String(files.length)), 'w'))
  expect(files).toContain(fd)
  expect(pty.write('a secret')).toBe(false)
  pty.resize(90, 20)
  expect(await ended).toBe(0)
  expect(readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')).join('')).toBe('')
  files.forEach((file) => closeSync(file))
})
