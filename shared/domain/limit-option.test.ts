import { expect, it } from 'vitest'
import { limitProblem } from './limit-option.ts'

it.each<[string, string | null]>([['--memory', '512m'], ['-m', '2G'], ['--memory-swap', '-1'], ['--shm-size', '65536'], ['--cpus', '1.5'], ['--memory', '$MEMORY'], ['--env', '-1'], ['--read-only', null], ['--memory-swappiness', '0'], ['--memory', '0'], ['--cpus', '0']])('takes %s %s', (flag, value) => {
  expect(limitProblem(flag, value)).toBeNull()
})

it.each([['--memory', '-1'], ['--memory', '4 g'], ['--shm-size', 'much'], ['--memory', ''], ['--cpus', '-2'], ['--cpus', '9999'], ['--memory-reservation', '1e9']])('refuses %s %s and says what it takes', (flag, value) => {
  expect(limitProblem(flag, value)).toMatch(new RegExp(`^"${value}" is no (size|value) for ${flag}; write`))
})
