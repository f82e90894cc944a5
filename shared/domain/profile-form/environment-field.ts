import { applyEdits, type Edit } from '../containerfile/edit.ts'
import { isRefusal, type Refusal, rewrite, spellAll } from '../containerfile/glyphs.ts'
import type { Property } from '../containerfile/properties.ts'
import { type Document, placeForStep, readDocument } from './containerfile-document.ts'
import { type EnvironmentDefinition, environmentDefinitions, type EnvironmentVariable, tokensOf, variableName } from './environment-source.ts'
import { type Field, valueState } from './field.ts'
import { insertAfter, removeInstruction } from './instruction-edits.ts'
import { joinEdits } from './join-edits.ts'

/** ENV of the last stage. A name that is set twice has the last value. */
export const environment: Field<EnvironmentVariable[]> = {
  check(value) {
    const unnamed = value.find(({ name }) => !variableName.test(name))
    if (unnamed) return `"${unnamed.name}" cannot be the name of a variable`
    const long = value.find(({ value: text }) => /[\u0000-\u0008\n-\u001f]/.test(text))
    if (long) return `the value of ${long.name} must be one line`
    return new Set(value.map(({ name }) => name)).size === value.length ? null : 'a variable is named twice'
  },
  read(source) {
    const found = effective(environmentDefinitions(source))
    return valueState(found.map(({ name, value }) => ({ name, value })), found[0]?.instruction.span ?? null)
  },
  write(source, value) {
    const all = environmentDefinitions(source)
    const found = effective(all)
    const changed = found.map((one) => {
      const wanted = value.find(({ name }) => name === one.name)
      return wanted ? setValue(source.text, one, wanted.value) : []
    })
    const removed = all.filter(({ name }) => !value.some((wanted) => wanted.name === name))
    const added = value.filter(({ name }) => !found.some((one) => one.name === name))
    return joinEdits([...changed, remove(source, removed), add(source, added)])
  },
}

/** Those that count. */
function effective(all: readonly EnvironmentDefinition[]): EnvironmentDefinition[] {
  const last = new Map(all.map((one) => [one.name, one]))
  return all.filter((one) => last.get(one.name) === one)
}

function setValue(text: string, { name, value, writing }: EnvironmentDefinition, wanted: string): Edit[] | Refusal {
  if (wanted === value) return []
  const { glyphs, empty, hasLiteralDollar } = writing()
  const rewritten = hasLiteralDollar ? { why: 'it has a $ that is no variable' } : rewrite(text, glyphs, tokensOf(wanted), empty)
  const edits = isRefusal(rewritten) || holds(applyEdits(text, rewritten), name, wanted) ? rewritten : { why: 'the way it is written cannot hold that value' }
  return isRefusal(edits) ? { why: `"${name}" can only be changed in the text: ${edits.why}` } : edits
}

/**
 * Whether a value is read back as it was meant: the old form of ENV has no empty value and no blanks around one, and a blank
 * behind a backslash at the end of a line takes the next line in.
 */
function holds(text: string, name: string, wanted: string): boolean {
  return effective(environmentDefinitions(readDocument(text))).find((one) => one.name === name)?.value === wanted
}

/** One ENV each, behind the last one, so that no line that is there changes. */
function add(source: Document, added: readonly EnvironmentVariable[]): Edit[] {
  if (added.length === 0) return []
  const last = source.stages.at(-1)!.instructions.findLast(({ keyword }) => keyword === 'ENV') ?? placeForStep(source)
  return [insertAfter(source, last, added.map(({ name, value }) => `ENV ${name}=${written(value)}`).join('\n'))]
}

function written(value: string): string {
  if (/^[\w@%+:,./=-]+$/.test(value)) return value
  return `"${spellAll(tokensOf(value), { builder: '"', shell: undefined })!}"`
}

function remove(source: Document, removed: readonly EnvironmentDefinition[]): Edit[] {
  const instructions = new Set(removed.map(({ instruction }) => instruction))
  return [...instructions].flatMap((instruction) => {
    const gone = removed.filter((one) => one.instruction === instruction)
    const { siblings, args } = gone[0]!
    if (gone.length === siblings.length) return [removeInstruction(source, instruction)]
    const isGone = (property: Property | undefined) => gone.some((one) => one.property.name === property?.name)
    const startOf = ({ name }: Property) => args.at[name.start]!
    const endOf = ({ name, value }: Property) => args.at[(value?.end ?? name.end) - 1]! + 1
    const firstKept = siblings.findIndex((property) => !isGone(property))
    const leading = firstKept > 0 ? [{ start: startOf(siblings[0]!), end: startOf(siblings[firstKept]!), text: '' }] : []
    const others = siblings.flatMap((property, index) => (index > firstKept && isGone(property) ? [{ start: endOf(siblings[index - 1]!), end: endOf(property), text: '' }] : []))
    return [...leading, ...others]
  })
}
