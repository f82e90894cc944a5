import { expect, test } from 'vitest'
import { closeQuestion, leavesItself, noShellInWords, shellEndInWords } from './shell-words.ts'

test.each([
  [0, 10, true],
  [0, 60_000, true],
  [130, 60_000, true],
  [127, 10, false],
  [null, 10, false],
  [null, 60_000, false],
])('a shell that ended with %j after %i ms goes away by itself: %j', (exitCode, ranMs, goes) => {
  expect(leavesItself(exitCode, ranMs)).toBe(goes)
})

test('how a shell ended is told by what is known', () => {
  expect(shellEndInWords(null, true)).toBe('This shell ended: the connection to it broke.')
  expect(shellEndInWords(null, false)).toBe('This shell ended with its sandbox.')
  expect(shellEndInWords(127, true)).toBe('This shell ended with exit code 127.')
})

test('why there is no shell is one sentence, and of another failure none', () => {
  const unavailable = { code: 'channel-unavailable' as const, message: 'Sandbox a1 cannot be reached from here: no sshd listens in it.' }
  expect(noShellInWords(unavailable, 'it was started by plain Podman')).toBe('This sandbox has its first terminal only: it was started by plain Podman.')
  expect(noShellInWords(unavailable, null)).toBe(unavailable.message)
  expect(noShellInWords({ code: 'channel-lost', message: 'It broke.' }, null)).toBeNull()
})

test('a program without a name is asked about all the same', () => {
  expect([closeQuestion('vim'), closeQuestion('')]).toEqual(['vim runs in this shell and would end. Close it?', 'A program runs in this shell and would end. Close it?'])
})
