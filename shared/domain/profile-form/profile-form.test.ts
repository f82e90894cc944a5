import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readShapes, type Shape } from '../../../e2e/fixtures/containerfiles/shapes.ts'
import { parseContainerfile } from '../../../electron/core/profiles/containerfile.ts'
import { type FieldName, fieldNames, type FieldValue, parseProfile, setField } from './profile-form.ts'
import { isRefusal } from '../containerfile/glyphs.ts'

const shapes = readShapes()
const word = fc.stringMatching(/^[a-z][a-z0-9]{2,8}$/)
const sets = <T>(item: fc.Arbitrary<T>, key: (value: T) => string) => fc.uniqueArray(item, { selector: key, maxLength: 4 })
const self = (text: string) => text
const path = fc.stringMatching(/^\/[a-zA-Z0-9 "'\\_é🚀.-]{0,12}[a-z]$/u)

/** Values that each field takes. */
const generators: { [N in FieldName]: fc.Arbitrary<FieldValue<N>> } = {
  base: fc.constantFrom('debian:bookworm', 'localhost/paddock:latest', 'registry.example.org:5000/a/b:1.2', 'x@sha256:00'),
  apt: sets(fc.constantFrom('jq', 'ripgrep', 'g++', 'vim=2:9.1', 'libc6:amd64'), self),
  npm: sets(fc.constantFrom('tsx@4.20.6', '@biomejs/biome@2.3.4', 'serve', 'x@^1.0.0'), self),
  pip: sets(fc.constantFrom('httpie==3.2.4', 'fastapi[all]>=0.1', 'rich', 'a~=1.0'), self),
  uvTools: sets(fc.constantFrom('ruff==0.14.6', 'pyright', 'black>=25'), self),
  agents: sets(fc.constantFrom('codex@0.171.0', 'claude-code@2.1.332', 'kimi', 'pi@1.6.0'), (agent) => agent.split('@')[0]!),
  environment: sets(
    fc.record({ name: fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,5}$/), value: fc.oneof(fc.stringMatching(/^[ -~]{0,12}$/), fc.constantFrom('$HOME/x', '${A}:b', 'Grüße 🌍', '')) }),
    ({ name }) => name,
  ),
  ramMib: fc.option(fc.integer({ min: 128, max: 99_999 })),
  cpus: fc.option(fc.integer({ min: 1, max: 64 })),
  tmpSize: fc.option(fc.constantFrom('512m', '2g', '1048576', '64K')),
  pids: fc.option(fc.integer({ min: 1, max: 9999 })),
  egress: fc.option(fc.constantFrom('open', 'allowlist', 'deny')),
  allow: fc.uniqueArray(fc.constantFrom('@npm', '@agents', 'example.org', '*.example.org:8080', 'deb.example.org/debian', '192.168.1.2:5432'), { maxLength: 3 }),
  mounts: sets(
    fc.record({ source: fc.oneof(path, fc.constantFrom('$HOME/data', '$HOME/a:b', '/srv/x,y', '$PWD/data')), target: path.filter((at) => at !== '/home/ai'), readOnly: fc.boolean() }),
    ({ target }) => target,
  ),
  ports: sets(fc.constantFrom('127.0.0.1:8080:80', '9000:9000', '[::1]:53:53/udp', '3000'), self),
  home: fc.option(word),
  desktop: fc.option(fc.boolean()),
  workdir: fc.option(path),
  flags: sets(fc.constantFrom('--cap-drop ALL', '--read-only', '--hostname web', "--env 'A=b c'", '--userns keep-id', '--ulimit nofile=1:2'), self),
}

const valueOf = (text: string, name: FieldName): unknown => {
  const state = parseProfile(text).values[name]
  return state.kind === 'value' ? state.value : `unsupported: ${state.why}`
}
const keyed = (value: unknown) => (Array.isArray(value) ? value.map((item) => JSON.stringify(item)).sort() : value)
const set = (text: string, name: FieldName, value: unknown) => setField(text, name, value as never)
/** Whether a change takes nothing out that has a place and spelling of its own in the text. */
const onlyAddsOrChanges = (name: FieldName, before: unknown, after: unknown) => {
  if (!Array.isArray(before)) return before === null || after !== null
  const key = (item: unknown) => (name === 'environment' ? (item as { name: string }).name : name === 'mounts' ? JSON.stringify([(item as { source: string }).source, (item as { target: string }).target]) : JSON.stringify(item))
  const kept = new Set((after as unknown[]).map(key))
  return before.every((item) => kept.has(key(item)))
}
/**
 * What the form cannot take back: it leaves a /tmp that it made, without its size, an access that stood written out in front, a
 * network where there was none before, and the mode of a label that had no network without saying why.
 */
const isOneWay = (name: FieldName, text: string, before: unknown) =>
  (name === 'tmpSize' && before === null) || (name === 'mounts' && /:rw\b/.test(text)) || (name === 'egress' && (!text.includes('--network') || (before === 'deny' && !text.includes('egress=deny'))))

const arbitraryChange = fc
  .record({ shape: fc.constantFrom(...shapes), name: fc.constantFrom(...fieldNames) })
  .chain(({ shape, name }) => {
    const value: fc.Arbitrary<unknown> = generators[name]
    const before = valueOf(shape.text, name)
    // Half of the lists contain what is there already, so that adding and changing are tried as often as taking out.
    const merged = Array.isArray(before) ? fc.oneof(value, value.map((added) => mergeLists(name, before, added as unknown[]))) : value
    return merged.map((after) => ({ shape, name, before, after }))
  })

function mergeLists(name: FieldName, before: unknown[], added: unknown[]): unknown[] {
  const key = (item: unknown) => (typeof item === 'string' ? (name === 'agents' ? item.split('@')[0] : item) : ((item as { name?: string; target?: string }).name ?? (item as { target?: string }).target))
  const known = new Set(before.map(key))
  return [...before, ...added.filter((item) => !known.has(key(item)))]
}

describe('over generated changes of all shapes', () => {
  const runs = { numRuns: 500 }

  it('what is set is what is read, and no other field changes', () => {
    fc.assert(
      fc.property(arbitraryChange, ({ shape, name, before, after }) => {
        const result = set(shape.text, name, after)
        if (!result.ok) {
          expect(result.why).toMatch(/\.$/)
          return
        }
        expect(keyed(valueOf(result.text, name))).toEqual(keyed(after))
        for (const other of fieldNames) if (other !== name) expect(valueOf(result.text, other), other).toEqual(valueOf(shape.text, other))
        // What the builder reads is what the form shows.
        const { label } = parseProfile(result.text).source
        if (label !== null && !isRefusal(label)) expect(label.value).toBe(labelOf(result.text))
        if (shape.text.includes('\r\n')) expect(result.text).not.toMatch(/(?<!\r)\n/)
        expect(typeof before === 'string' && before.startsWith('unsupported')).toBe(false)
      }),
      runs,
    )
  }, 120_000)

  it('a value of the environment with blanks, quotes or backslashes at its ends is read back as it was set, or refused', () => {
    let taken = 0
    for (const { text } of shapes) {
      const before = parseProfile(text).values.environment
      if (before.kind !== 'value') continue
      for (const { name, value } of before.value) {
        for (const hard of ['', ' ', '\t', '  x', 'x ', ' $A ', `${value} `, ` ${value}`, "'", '"', `${value}'`, '\\', 'x\\ ', '#', ' "']) {
          const wanted = before.value.map((one) => (one.name === name ? { name, value: hard } : one))
          const result = set(text, 'environment', wanted)
          if (!result.ok) continue
          expect(valueOf(result.text, 'environment'), result.text).toEqual(wanted)
          taken++
        }
      }
    }
    expect(taken).toBeGreaterThan(500)
  })

  it('a value that is put back restores the file byte for byte', () => {
    let restored = 0
    fc.assert(
      fc.property(arbitraryChange, ({ shape, name, before, after }) => {
        const result = set(shape.text, name, after)
        if (!result.ok || !onlyAddsOrChanges(name, before, after) || isOneWay(name, shape.text, before)) return
        expect(set(result.text, name, before)).toMatchObject({ ok: true, text: shape.text })
        restored++
      }),
      runs,
    )
    expect(restored).toBeGreaterThan(150)
  })

  it('a field that cannot be expressed is refused with its reason, and nothing is changed', () => {
    const unsupported = shapes.flatMap(({ text }) => fieldNames.filter((name) => parseProfile(text).values[name].kind === 'unsupported').map((name) => [text, name] as const))
    expect(unsupported.length).toBeGreaterThan(100)
    for (const [text, name] of unsupported) {
      const [value] = fc.sample(generators[name] as fc.Arbitrary<unknown>, 1)
      expect(set(text, name, value)).toEqual({ ok: false, why: expect.stringMatching(/\.$/) })
    }
  })
})

describe.each(shapes)('$name', ({ text }: Shape) => {
  it('is not changed by values that are there', () => {
    for (const name of fieldNames) {
      const state = parseProfile(text).values[name]
      if (state.kind === 'value' && set(text, name, state.value).ok) expect(set(text, name, state.value), name).toEqual({ ok: true, text, edits: [] })
    }
  })

  it('has the label that the builder reads', () => {
    const { label } = parseProfile(text).source
    const expected = labelOf(text)
    if (label !== null && !isRefusal(label)) expect(label.value).toBe(expected)
    else if (label === null) expect(expected ?? '').toBe('')
  })
})

/** undefined for a file that no builder takes. */
function labelOf(text: string): string | undefined {
  try {
    return parseContainerfile(text).labels.get('run')
  } catch {
    return undefined
  }
}

it('there are shapes enough, each of its own kind', () => {
  expect(shapes.length).toBeGreaterThanOrEqual(200)
  expect(new Set(shapes.map(({ text }) => text)).size).toBeGreaterThan(shapes.length - 3)
})
