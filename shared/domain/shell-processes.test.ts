import { describe, expect, test } from 'vitest'
import { programInShell } from './shell-processes.ts'

/** The first fields of /proc/PID/stat: id, name, state, parent, group, session, terminal, foreground group. */
const stat = (pid: number, name: string, { group = pid, session = 100, foreground = 100, state = 'S' } = {}) => `${pid} (${name}) ${state} 1 ${group} ${session} 34816 ${foreground} 4194560 0 0`
const environments = (...pids: number[]) => pids.map((pid) => `/proc/${pid}/environ\n`).join('')
const marked = environments(100, 200, 300)
const shell = (foreground = 100) => stat(100, 'bash', { foreground })

describe('in a shell', () => {
  test('that waits at its prompt nothing runs', () => {
    expect(programInShell(environments(100), [shell(), stat(7, 'sshd', { session: 7 })].join('\n'))).toBeNull()
  })

  test('the program that has the terminal runs', () => {
    expect(programInShell(marked, [shell(200), stat(300, 'sleep', { foreground: 200 }), stat(200, 'vim', { foreground: 200 })].join('\n'))).toBe('vim')
  })

  test('one in the background runs, too', () => {
    expect(programInShell(marked, [shell(), stat(300, 'sleep')].join('\n'))).toBe('sleep')
  })

  test('what has ended and is not yet buried does not run', () => {
    expect(programInShell(marked, [shell(), stat(300, 'sleep', { state: 'Z' })].join('\n'))).toBeNull()
  })

  test('what runs in another shell, or left this one with a session of its own, does not run', () => {
    const others = [stat(400, 'vim', { session: 400, foreground: 400 }), stat(500, 'node', { session: 500 })]
    expect(programInShell(environments(100, 500), [shell(), ...others].join('\n'))).toBeNull()
  })
})

test('a name is text of one line, however it was chosen', () => {
  const run = (name: string) => programInShell(marked, [shell(200), stat(200, name, { foreground: 200 })].join('\n'))
  expect(run('a) S 1 (b')).toBe('a) S 1 (b')
  expect(run('\u001b[31mred\u202e')).toBe('[31mred')
  expect(run('\u0007')).toBe('')
  expect(run('x'.repeat(500))).toBe('x'.repeat(15))
})

test.each(['', 'nonsense', '1', '1 (', '100 (bash) S', '100 (bash)\n(bash) S 1'])('of %j it is not known whether anything runs', (stats) => {
  expect(programInShell(marked, stats)).toBe('')
})

test('a shell that is not among the marked is not known', () => {
  expect(programInShell('', shell())).toBe('')
})
