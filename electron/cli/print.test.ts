import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { plain, printError, printJson, printJsonLine, printListing, printNote, printProgress } from './print.ts'

let out: string
let err: string
beforeEach(() => {
  out = ''
  err = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += text), true))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += text), true))
  terminal(false)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})
function terminal(isTTY: boolean) {
  for (const stream of [process.stdout, process.stderr]) Object.defineProperty(stream, 'isTTY', { value: isTTY, configurable: true })
}
const escape = '\u001b'

describe('plain', () => {
  it.each([
    ['text with ✓, ü, 日本 and 🦊', 'text with ✓, ü, 日本 and 🦊'],
    [`${escape}[31mred${escape}[0m`, '\\x1b[31mred\\x1b[0m'],
    [`${escape}]0;title\u0007`, '\\x1b]0;title\\x07'],
    [`${escape}]52;c;aGk=\u0007`, '\\x1b]52;c;aGk=\\x07'],
    ['\u009b31mred', '\\x9b31mred'],
    ['a\rb\nc\td', 'a\\x0db\\x0ac\\x09d'],
    ['/work/\u202etxt.exe\u202c\u200b', '/work/\\u202etxt.exe\\u202c\\u200b'],
    ['\b\u007f\0', '\\x08\\x7f\\x00'],
  ])('makes %j %j', (text, expected) => {
    expect(plain(text)).toBe(expected)
  })
})

describe('what a hostile text can do to a terminal: nothing', () => {
  const hostile = `a${escape}[2Jb\u009b2Jc`
  it.each<[what: string, print: () => void]>([
    ['progress', () => printProgress({ kind: 'log', text: hostile })],
    ['a step', () => printProgress({ kind: 'step', text: hostile })],
    ['a warning', () => printProgress({ kind: 'warning', text: hostile })],
    ['a note', () => printNote(hostile)],
    ['an error', () => printError({ code: 'podman-failed', message: hostile, hint: hostile, command: [hostile], stderrTail: hostile })],
    ['JSON', () => printJson({ [hostile]: hostile })],
    ['a line of JSON', () => printJsonLine({ [hostile]: hostile })],
  ])('%s', (_what, print) => {
    print()
    expect(out + err).toContain('2J')
    expect(out + err).not.toContain(escape)
    expect(out + err).not.toContain('\u009b')
  })

  it('a listing', () => {
    terminal(true)
    vi.stubEnv('NO_COLOR', '1')
    printListing([{ name: hostile }], false, { NAME: ({ name }) => name }, '')
    expect(out).toBe('NAME\na\\x1b[2Jb\\x9b2Jc\n')
  })
})

it('JSON of hostile text is read back as it was', () => {
  const hostile = 'a\u009b2J\u007f\u202e\u200b"\\ü'
  printJson({ hostile })
  expect(JSON.parse(out)).toEqual({ hostile })
  expect(out).toContain('a\\u009b2J\\u007f\\u202e\\u200b')
})

describe('streams', () => {
  it('are stdout for data and stderr for the rest', () => {
    printJson([1])
    printListing([], true, {}, 'nothing')
    expect([out, err]).toEqual(['[\n  1\n]\n[]\n', ''])
    printNote('n')
    printProgress({ kind: 'step', text: 's' })
    printError({ code: 'usage', message: 'm', hint: 'h' })
    expect(out).toBe('[\n  1\n]\n[]\n')
    expect(err).toBe('note: n\ns\npaddock: m\n  h\n')
  })

  it('carry colour only to a terminal, and not with NO_COLOR or a dumb one', () => {
    vi.stubEnv('NO_COLOR', '')
    vi.stubEnv('TERM', 'xterm')
    // Node's own rule, which a test runner may set.
    vi.stubEnv('NODE_DISABLE_COLORS', '')
    vi.stubEnv('FORCE_COLOR', '1')
    printNote('pipe')
    expect(err).toBe('note: pipe\n')
    terminal(true)
    err = ''
    printNote('terminal')
    expect(err).toContain(escape)
    for (const [name, value] of [['NO_COLOR', '1'], ['TERM', 'dumb']] as const) {
      vi.stubEnv('NO_COLOR', '')
      vi.stubEnv(name, value)
      err = ''
      printNote('plain')
      expect(err).toBe('note: plain\n')
    }
  })
})

it('an error of a build does not repeat the output that was shown', () => {
  printError({ code: 'build-failed', message: 'm', stderrTail: 'tail' })
  printError({ code: 'podman-failed', message: 'm', stderrTail: 'tail' })
  expect(err).toBe('paddock: m\npaddock: m\n  | tail\n')
})

it('a progress line that was redrawn shows its last drawing', () => {
  printProgress({ kind: 'log', text: '10 %\r50 %\r100 %\r' })
  expect(err).toBe('  100 %\n')
})

it('a listing for a person is in columns, and says when it is empty', () => {
  terminal(true)
  vi.stubEnv('NO_COLOR', '1')
  const columns = { A: (row: string[]) => row[0]!, LONG: (row: string[]) => row[1]! }
  printListing([['x', 'y'], ['longer', '']], false, columns, 'Nothing.')
  expect(out).toBe('A       LONG\nx       y\nlonger\n')
  printListing([], false, columns, 'Nothing.')
  expect(err).toBe('note: Nothing.\n')
})
