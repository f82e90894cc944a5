import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { applyEdits } from '../containerfile/edit.ts'
import { assignField } from './assign-field.ts'
import { changeField } from './change-field.ts'
import { type FieldName, type FieldValue, type FormContext, parseProfile } from './profile-form.ts'

const bundled = (name: string) => readFileSync(new URL(`../../../profiles/${name}/Containerfile`, import.meta.url), 'utf8')
const [minimal, standard] = [bundled('minimal'), bundled('default')]

function change<N extends FieldName>(text: string, name: N, value: FieldValue<N>, context: FormContext = {}): string {
  const result = changeField(text, name, value, context)
  if (!result.ok) throw new Error(result.why)
  expect(applyEdits(text, result.edits)).toBe(result.text)
  return result.text
}
const allowedIn = (text: string) => (parseProfile(text).values.allow as { value: string[] }).value
const startOf = (steps: string) => allowedIn(change(`${steps}\nLABEL run="podman run --network pasta IMAGE"\n`, 'egress', 'allowlist'))

describe('an allowlist starts from the agents and what the profile installs with', () => {
  it.each([
    ['nothing but a base', 'FROM x:1', []],
    ['npm packages', 'FROM x:1\nRUN npm install -g tsx@4.20.6', ['@npm']],
    ['an agent', 'FROM x:1\nRUN npm install -g @openai/codex@0.171.0', ['@npm']],
    ['pip', 'FROM x:1\nRUN pip install rich', ['@pypi']],
    ['uv', 'FROM x:1\nRUN uv tool install ruff', ['@pypi']],
    ['apt', 'FROM x:1\nRUN apt-get install -y jq', ['@debian']],
    ['Debian’s own Node, Go and Rust', 'FROM x:1\nRUN apt-get install -y nodejs=20.1 golang-go cargo', ['@npm', '@crates', '@go', '@debian']],
    ['a base with agents', 'FROM localhost/paddock-base:latest', ['@npm', '@pypi']],
    ['a profile that has agents', 'FROM localhost/paddock:latest', ['@npm', '@pypi']],
    ['a profile that has none', 'FROM localhost/paddock:minimal', []],
    ['an image of Node', 'ARG BASE=docker.io/library/node:24\nFROM $BASE\nRUN pip install rich', ['@npm', '@pypi']],
    ['an image whose name only ends so', 'FROM example.org/mynode:24', []],
  ])('%s', (_what, steps, lists) => {
    expect(startOf(steps)).toEqual(['@agents', ...lists])
  })

  it('in the profiles that come with Paddock', () => {
    expect(allowedIn(change(standard, 'egress', 'allowlist'))).toEqual(['@agents', '@npm', '@pypi'])
    expect(allowedIn(change(minimal, 'egress', 'allowlist'))).toEqual(['@agents', '@debian'])
  })

  it('over a label that the image below hands down', () => {
    const inheritedLabel = /LABEL run="([\s\S]*)"/.exec(standard)![1]!.replaceAll('\\\n', '').replaceAll('\\$', '$')
    const child = 'FROM localhost/paddock:latest\nRUN echo hi\n'
    const text = change(child, 'egress', 'allowlist', { inheritedLabel })
    expect(allowedIn(text)).toEqual(['@agents', '@npm', '@pypi'])
    expect(change(text, 'egress', null, { inheritedLabel })).toBe(child)
  })

  it('on a command line, before what is added there', () => {
    const result = assignField(minimal, 'egress=allowlist', 'x')
    expect(result.ok && allowedIn(result.text)).toEqual(['@agents', '@debian'])
  })
})

it('what a person allowed is left alone, and so is a list that they emptied', () => {
  const own = change(minimal, 'allow', ['example.org'])
  expect(allowedIn(change(own, 'egress', 'allowlist'))).toEqual(['example.org'])
  const emptied = change(change(minimal, 'egress', 'allowlist'), 'allow', [])
  expect(allowedIn(change(emptied, 'egress', 'allowlist'))).toEqual([])
})

it('a start that nobody touched goes with the mode, one that was changed stays', () => {
  const started = change(minimal, 'egress', 'allowlist')
  expect(change(started, 'egress', null)).toBe(minimal)
  expect(change(started, 'egress', 'deny')).toBe(change(minimal, 'egress', 'deny'))
  const narrowed = change(started, 'allow', ['@agents'])
  expect(allowedIn(change(narrowed, 'egress', 'open'))).toEqual(['@agents'])
})

it('other modes and other fields start nothing', () => {
  expect(allowedIn(change(minimal, 'egress', 'deny'))).toEqual([])
  expect(change(minimal, 'ramMib', 4096)).toBe(minimal.replace('krun.ram_mib=2048', 'krun.ram_mib=4096'))
})
