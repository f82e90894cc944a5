import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { previewChange } from './preview-change.ts'
import { setField } from './profile-form.ts'

const base = 'FROM a:1\nRUN one\nENV A=b\nRUN two\nLABEL x=y\n'

it.each<[what: string, change: (text: string) => string, effect: string, line: number | null, cached: number]>([
  ['nothing', (text) => text, 'none', null, 5],
  ['a comment, a blank line and other line ends', (text) => `# why\n\n${text.replaceAll('\n', '\r\n')}`, 'none', null, 5],
  ['a continuation', (text) => text.replace('RUN one', 'RUN \\\n one'), 'none', null, 5],
  ['a label at the end', (text) => text.replace('x=y', 'x=z'), 'next-launch', 5, 4],
  ['a command at the end', (text) => `${text}CMD ["x"]\n`, 'next-launch', 6, 5],
  ['a label taken away', (text) => text.replace('LABEL x=y\n', ''), 'next-launch', null, 4],
  ['a step', (text) => text.replace('two', 'three'), 'rebuild', 4, 3],
  ['a variable before a step', (text) => text.replace('A=b', 'A=c'), 'rebuild', 3, 2],
  ['the base', (text) => text.replace('a:1', 'a:2'), 'rebuild', 1, 0],
  ['a step at the end', (text) => `${text}RUN three\n`, 'rebuild', 6, 5],
  ['a step taken away', (text) => text.replace('RUN two\n', ''), 'rebuild', 4, 3],
])('%s', (_what, change, effect, line, cachedSteps) => {
  const preview = previewChange(base, change(base))
  expect(preview).toMatchObject({ effect, cachedSteps })
  expect(preview.firstChanged?.line ?? null).toBe(line)
  expect(preview.sentence).toMatch(/\.$/)
})

it('follows stages: what is not built on the change stays', () => {
  const stages = 'FROM a:1 AS tools\nRUN one\nFROM a:1 AS docs\nRUN two\nFROM a:1\nRUN three\nCOPY --from=tools /x /\nRUN four\n'
  expect(previewChange(stages, stages.replace('one', 'ONE'))).toMatchObject({ effect: 'rebuild', firstChanged: { line: 2 }, cachedSteps: 5, steps: 8 })
  expect(previewChange(stages, stages.replace('two', 'TWO'))).toMatchObject({ effect: 'rebuild', firstChanged: { line: 4 }, cachedSteps: 7 })
})

it('follows the default of an ARG to where it is used', () => {
  const text = readFileSync(new URL('../../../profiles/base/Containerfile', import.meta.url), 'utf8')
  const preview = previewChange(text, text.replace('CODEX_VERSION=0.171.0', 'CODEX_VERSION=0.172.0'))
  const line = text.split('\n').indexOf('ARG CODEX_VERSION') + 1
  expect(preview).toMatchObject({ effect: 'rebuild', firstChanged: { line, keyword: 'ARG' } })
  expect(preview.sentence).toContain(`line ${line}, ARG`)
})

it('a limit takes effect at the next launch, a package needs a build', () => {
  const text = readFileSync(new URL('../../../profiles/minimal/Containerfile', import.meta.url), 'utf8')
  const ram = setField(text, 'ramMib', 4096)
  const apt = setField(text, 'apt', ['ca-certificates', 'git', 'openssh-server', 'jq'])
  expect(ram.ok && previewChange(text, ram.text).effect).toBe('next-launch')
  expect(apt.ok && previewChange(text, apt.text).effect).toBe('rebuild')
})
