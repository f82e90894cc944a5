import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchButton } from '../fixtures/window-app.ts'
import { type BareTerminal, createChecksum, openBareTerminal } from './bare-terminal.ts'
import { type BenchWindow, openBenchWindow, settle } from './bench-window.ts'
import type { Report } from './report.ts'
import { median, nowMs } from './samples.ts'

const megabytes = 50
const floods = 3
const interrupts = 5
/** Lines kept on both sides, and what the engine has not given back yet. */
const growthLimitMib = 128
/** What a person takes for an answer at once. */
const interruptLimitMs = 300

/** Waits, without an echo, until it may begin and until all was read, so that nothing else is between the bytes. */
const script = 'stty -echo; printf READY; read _; cat flood; read _; stty echo'
const endless = `yes ${'0123456789'.repeat(8)}`

/** 50 MB of known content from a sandbox into the page's terminal, beside a bare terminal of the same sandbox. */
export async function benchFlood(report: Report): Promise<void> {
  const bench = await openBenchWindow()
  try {
    const expected = writeFlood(join(bench.folder, 'flood'))
    writeFileSync(join(bench.folder, 'flood.sh'), `${script}\n`)
    const bare = openBareTerminal(bench.runlabel, { ...process.env, ...bench.world.env }, bench.folder)
    await bare.endsWith('$ ')
    await bench.probe.reset()
    await launchButton(bench.window).click()
    await bench.probe.until('seen.promptTakenAt > 0 || seen.promptAt > 0')
    await settle()
    const before = await memoryMib(bench)
    const figures = { paddock: [] as number[], bare: [] as number[], lost: 0 }
    for (let at = 0; at < floods; at++) {
      const ours = await floodWindow(bench, expected)
      figures.lost += expected.bytes - ours.bytes
      if (ours.bytes === expected.bytes && ours.checksum !== expected.checksum) throw new Error('The bytes that came are not those that were sent.')
      figures.paddock.push(expected.bytes / 1e3 / ours.ms)
      figures.bare.push(expected.bytes / 1e3 / (await floodBare(bare, expected)))
    }
    await settle()
    const after = await memoryMib(bench)
    report.median('through the window', 'MB/s', figures.paddock)
    report.median('bare terminal', 'MB/s', figures.bare)
    report.figure('of the bare terminal’s throughput', '', median(figures.paddock.map((value, at) => value / figures.bare[at]!)))
    report.figure(`bytes lost of ${floods} × ${megabytes} MB`, '', figures.lost, 0)
    const ours: number[] = []
    const theirs: number[] = []
    for (let at = 0; at < interrupts; at++) {
      ours.push(await interruptWindow(bench))
      theirs.push(await interruptBare(bare))
    }
    report.median('Ctrl-C to the prompt', 'ms', ours, interruptLimitMs)
    report.median('Ctrl-C in the bare terminal', 'ms', theirs)
    report.note(`memory of main process, page and GPU process ${before.toFixed(0)} MiB before, ${after.toFixed(0)} MiB after`)
    report.figure('memory grown by', 'MiB', after - before, growthLimitMib)
  } finally {
    await bench.close()
  }
}

interface Flood {
  bytes: number
  checksum: number
}

/** Numbered lines of 80 bytes as a terminal hands them on, with a carriage return. */
function writeFlood(file: string): Flood {
  const lines = (megabytes * 1_000_000) / 80
  const text = (end: string) => Array.from({ length: lines }, (_, at) => String(at).padStart(8, '0') + ' the quick brown fox jumps over the lazy dog, and again, and once more'.padEnd(70, '.') + end).join('')
  writeFileSync(file, text('\n'))
  const sum = createChecksum()
  const sent = Buffer.from(text('\r\n'))
  sum.add(sent)
  return { bytes: sent.length, checksum: sum.value() }
}

async function floodWindow({ window, probe }: BenchWindow, { bytes }: Flood): Promise<Flood & { ms: number }> {
  await probe.reset()
  await window.type('sh flood.sh')
  await probe.until(`probe.tail.endsWith('READY') && seen.taken >= seen.bytes`)
  await probe.reset()
  await window.page.keyboard.press('Enter')
  // What is lost never comes: the end is then the time at which nothing more does.
  const seen = await probe.until(`seen.taken >= ${bytes} || (seen.bytes > 0 && performance.timeOrigin + performance.now() - seen.takenAt > 10_000)`, 120_000)
  await window.page.keyboard.press('Enter')
  await probe.until('seen.promptTakenAt > 0')
  return { bytes: seen.bytes, checksum: seen.checksum, ms: seen.takenAt - seen.firstAt }
}

async function floodBare(terminal: BareTerminal, { bytes, checksum }: Flood): Promise<number> {
  terminal.write('sh flood.sh\r')
  await terminal.endsWith('READY')
  const reading = terminal.read(bytes)
  terminal.write('\r')
  const read = await reading
  if (read.checksum !== checksum) throw new Error('The bare terminal read other bytes than were sent.')
  terminal.write('\r')
  await terminal.endsWith('$ ')
  return read.ms
}

async function interruptWindow({ window, probe }: BenchWindow): Promise<number> {
  await probe.reset()
  await window.type(endless)
  await probe.until('seen.taken > 3_000_000')
  await probe.reset()
  await window.page.keyboard.press('Control+c')
  const { actedAt, promptTakenAt } = await probe.until('seen.promptTakenAt > 0')
  await settle()
  return promptTakenAt - actedAt
}

async function interruptBare(terminal: BareTerminal): Promise<number> {
  terminal.write(`${endless}\r`)
  await terminal.flows(3_000_000)
  const pressedAt = nowMs()
  terminal.write('\u0003')
  return (await terminal.endsWith('$ ')) - pressedAt
}

async function memoryMib({ window }: BenchWindow): Promise<number> {
  const kib = await window.app.evaluate(({ app }) =>
    app.getAppMetrics().filter(({ type }) => ['Browser', 'Tab', 'GPU'].includes(type)).reduce((total, { memory }) => total + memory.workingSetSize, 0),
  )
  return kib / 1024
}
