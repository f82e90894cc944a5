import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Failure, describeFailure } from './failure.mjs'
import { createLineSplitter, createProgress } from './progress.mjs'
import { ask, runStep } from './run-step.mjs'
import { runForeground } from './run-foreground.mjs'

const node = (code) => [process.execPath, '-e', code]

describe('a failure', () => {
  it('says what happened, why and what to do', () => {
    expect(describeFailure(new Failure('it broke', { why: 'a\nb', fix: 'mend it' }))).toBe(
      'paddock: it broke.\n  Why: a\n    b\n  What to do: mend it',
    )
  })
})

describe('progress', () => {
  const lines = (chunks, isLive) => {
    const seen = []
    const splitter = createLineSplitter((line) => seen.push(line), isLive)
    for (const chunk of chunks) splitter.push(chunk)
    splitter.end()
    return seen
  }

  it('joins characters that a chunk border cut, and drops colours and blank lines', () => {
    const euro = Buffer.from('€\n')
    expect(lines([euro.subarray(0, 1), euro.subarray(1), Buffer.from('\x1b[31mred\x1b[0m\n\n 50%\r100%')])).toEqual([
      '€',
      'red',
      '100%',
    ])
  })

  it('shows each state of a progress bar only where it is folded', () => {
    const bar = [Buffer.from('10%\r50%\r'), Buffer.from('100%\r\ndone\r\n')]
    expect(lines(bar, true)).toEqual(['10%', '50%', '100%', 'done'])
    expect(lines(bar, false)).toEqual(['100%', 'done'])
  })

  it('folds into one line on a terminal and never wraps it', () => {
    let written = ''
    const progress = createProgress({ isTTY: true, columns: 10, write: (text) => (written += text) })
    progress.show('0123456789abcdef')
    expect(written).toBe('\r\x1b[2K  0123456')
  })
})

describe('a step', () => {
  it('that fails repeats its last lines and asks for advice with all of them', async () => {
    const code = 'for (let i = 1; i <= 30; i++) console.log("line " + i); process.exitCode = 3'
    const failure = await runStep({
      title: 'trying',
      argv: node(code),
      isQuiet: true,
      fix: (output) => output.split('\n')[0],
    }).catch((error) => error)
    expect(failure).toBeInstanceOf(Failure)
    expect(failure.why).toMatch(/exit code 3[^]*line 11\nline 12[^]*line 30$/)
    expect(failure.why).not.toMatch(/line 10\n/)
    expect(failure.fix).toBe('line 1')
  })

  it('that cannot start is a failure too', async () => {
    await expect(runStep({ title: 'trying', argv: ['paddock-no-such-program'] })).rejects.toThrow('trying failed')
  })

  it('that is given up is a failure at once', async () => {
    const abort = AbortSignal.timeout(50)
    await expect(runStep({ title: 'waiting', argv: ['sleep', '60'], abort })).rejects.toThrow('waiting failed')
  })

  it('answers a short question, and nothing when the program fails', () => {
    expect(ask(node('console.log(" yes ")'))).toBe('yes')
    expect(ask(node('process.exit(1)'))).toBeUndefined()
    expect(ask(['paddock-no-such-program'])).toBeUndefined()
  })
})

describe('the program in the foreground', () => {
  it('decides the exit code, also when a signal ends it', async () => {
    expect(await runForeground(node('process.exit(7)'))).toBe(7)
    expect(await runForeground(node('process.kill(process.pid, "SIGKILL")'))).toBe(137)
  })

  it('gets a signal that was sent to this process, which lives on', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'paddock-signal-'))
    try {
      const file = join(folder, 'got')
      const code = `process.on("SIGTERM", () => { require("fs").writeFileSync(${JSON.stringify(file)}, "TERM"); process.exit(5) }); setInterval(() => {}, 1000); process.kill(process.ppid, "SIGTERM")`
      expect(await runForeground(node(code))).toBe(5)
      expect(readFileSync(file, 'utf8')).toBe('TERM')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
