import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { findFailedStep } from './failed-step.ts'

const recorded = readFileSync(new URL('../../../e2e/fixtures/fake-podman/recordings/build-failed.txt', import.meta.url), 'utf8').split('\n')
const text = '# a comment\nARG X=1\nFROM localhost/paddock:minimal\n\nRUN echo one\n# why\nRUN echo "two ✓" \\\n && exit 3\nRUN echo three\n'
const placed = (source: string, log: readonly string[]) => {
  const found = findFailedStep(source, log)
  return found && [found.line, source.slice(found.start, found.end), found.step]
}

it('the step that a real build failed at is found in the text, by the line that it begins on', () => {
  expect(placed(text, recorded)).toEqual([7, 'RUN echo "two ✓" \\', '3/3'])
})

it('is found where lines were put in above it since, and not once its own words are others', () => {
  expect(placed(text.replace('RUN echo one', 'RUN echo zero\nRUN echo one'), recorded)?.[0]).toBe(8)
  expect(placed(text.replace('exit 3', 'exit 0'), recorded)).toBeNull()
})

it('is not taken for one of the two that say the same where the count fits neither', () => {
  const twice = 'FROM a\nRUN x\nRUN make\nRUN y\nRUN make\n'
  expect(placed(twice, ['STEP 4/5: RUN make'])).toBeNull()
  expect(placed(twice, ['STEP 5/5: RUN make'])?.[0]).toBe(5)
})

it('in a file of several stages, the stage counts', () => {
  const stages = 'FROM a AS one\nRUN make\nFROM b\nRUN make\n'
  expect(placed(stages, ['[1/2] STEP 1/2: FROM a AS one', '[1/2] STEP 2/2: RUN make'])?.[0]).toBe(2)
  expect(placed(stages, ['[2/2] STEP 1/2: FROM b', '[2/2] STEP 2/2: RUN make'])?.[0]).toBe(4)
})

it('a FROM is known although the builder filled in its variable', () => {
  expect(placed('ARG B=a\nFROM ${B}\n', ['STEP 1/1: FROM docker.io/library/a:1'])).toEqual([2, 'FROM ${B}', '1/1'])
})

it('a heredoc is known by its first line', () => {
  expect(placed('FROM a\nRUN <<EOF\nfalse\nEOF\n', ['STEP 1/2: FROM a', 'STEP 2/2: RUN <<EOF'])?.[0]).toBe(2)
})

it.each([
  ['names no step', ['Error: no such file']],
  ['is of a build that went well', [...recorded.slice(0, 5), 'COMMIT localhost/paddock:x']],
  ['is of another file', ['STEP 2/9: RUN something else']],
])('nothing is marked when the log %s', (_why, log) => {
  expect(placed(text, log)).toBeNull()
})
