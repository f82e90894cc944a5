import { DockerfileParser } from 'dockerfile-ast'
import { describe, expect, it } from 'vitest'
import { readShapes } from '../../../e2e/fixtures/containerfiles/shapes.ts'
import { placeOf } from './edit.ts'
import { logicalArguments, readInstructions } from './instructions.ts'

const read = (text: string) => readInstructions(text).map(({ keyword, span }) => [keyword, text.slice(span.start, span.end)])

/** Where dockerfile-ast differs from Podman's builder, which is followed here. */
const disagreements = new Set([
  // Nothing of a file with another escape character is changed.
  'an escape directive', 'a keyword cut in two', 'two heredocs', 'a heredoc that is not closed', 'no heredoc but a shift', 'git conflict marks', 'env: CR LF over lines',
])

describe('instructions have the places that dockerfile-ast gives them', () => {
  it.each(readShapes().filter(({ name }) => !disagreements.has(name)))('$name', ({ text }) => {
    const lines = text.split('\n')
    const starts = lines.map((_line, index) => lines.slice(0, index).reduce((sum, line) => sum + line.length + 1, 0))
    const expected = DockerfileParser.parse(text).getInstructions().map((instruction) => {
      const { start, end } = instruction.getRange()
      return [instruction.getKeyword(), text.slice(starts[start.line]! + start.character, starts[end.line]! + end.character)]
    })
    expect(read(text).map(([keyword, own]) => [keyword, own!.trimEnd()])).toEqual(expected.map(([keyword, own]) => [keyword, own!.trimEnd()]))
  })
})

it.each<[what: string, text: string, expected: string[][]]>([
  ['a continuation mark that is escaped', 'RUN a \\\\\n b', [['RUN', 'RUN a \\\\\n b']]],
  ['a shift of bits', 'RUN echo $((1<<2))\nENV A=b', [['RUN', 'RUN echo $((1<<2))'], ['ENV', 'ENV A=b']]],
  ['a here-string', 'RUN cat <<< word\nENV A=b', [['RUN', 'RUN cat <<< word'], ['ENV', 'ENV A=b']]],
  ['a heredoc in quotes', 'RUN echo "<<EOF"\nENV A=b', [['RUN', 'RUN echo "<<EOF"'], ['ENV', 'ENV A=b']]],
  ['two heredocs', 'COPY <<A <<B /d/\n1\nA\n2\nB\nENV C=d', [['COPY', 'COPY <<A <<B /d/\n1\nA\n2\nB'], ['ENV', 'ENV C=d']]],
  ['no heredoc in ENV', 'ENV A=<<EOF\nRUN x', [['ENV', 'ENV A=<<EOF'], ['RUN', 'RUN x']]],
  ['a heredoc that is not closed', 'RUN <<EOF\nENV A=b\n', [['RUN', 'RUN <<EOF\nENV A=b']]],
])('reads %s as Podman does', (_what, text, expected) => {
  expect(read(text)).toEqual(expected)
})

it('joins lines, and knows the place of every character', () => {
  const text = 'FROM a\r\nENV A=1 \\\r\n  # why\r\n  B=2\r\n'
  const [, env] = readInstructions(text)
  const args = logicalArguments(text, env!)
  expect(args.text).toBe('A=1   B=2')
  expect([...args.text].map((char, index) => text[args.at[index]!] === char)).not.toContain(false)
  expect(text[args.at[args.text.indexOf('B')]!]).toBe('B')
})

it('names places as editors do, from 1', () => {
  expect(placeOf('ab\ncd', 0)).toEqual({ line: 1, column: 1 })
  expect(placeOf('ab\ncd', 4)).toEqual({ line: 2, column: 2 })
  expect(placeOf('ab\r\ncd', 4)).toEqual({ line: 2, column: 1 })
})
