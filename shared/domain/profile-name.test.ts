import { expect, it } from 'vitest'
import { newNameProblem } from './profile-name.ts'

it.each<[string, RegExp | null]>([
  ['', null], ['web', null], ['a.b_c-1', null], ['x'.repeat(63), null],
  ['taken', /already/], ['latest', /default/], ['x'.repeat(64), /At most 63/], ['-web', /begins with/], ['.web', /begins with/], ['Web', /begins with/], ['wEb', /Only small/], ['we b', /Only small/], ['web/..', /Only small/], ['wéb', /Only small/],
])('%j while it is typed: %s', (name, problem) => {
  const said = newNameProblem(name, ['taken'])
  if (problem === null) expect(said).toBeNull()
  else expect(said).toMatch(problem)
})
