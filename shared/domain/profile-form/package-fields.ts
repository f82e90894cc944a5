import { agents as knownAgents, splitNpmSpec } from '../agents.ts'
import type { Edit } from '../containerfile/edit.ts'
import type { Refusal } from '../containerfile/glyphs.ts'
import { findPins } from '../containerfile/pins.ts'
import { cutWords, separatorBetween } from '../containerfile/word-edits.ts'
import { argumentsOf, type Document, placeForStep } from './containerfile-document.ts'
import { type Field, valueState } from './field.ts'
import { insertAfter, removeInstruction } from './instruction-edits.ts'
import { joinEdits } from './join-edits.ts'
import { findPackageLists, type PackageList } from './package-lists.ts'
import { type PackageManager, packageManagers, shellWord } from './package-managers.ts'

const agentPackages = new Map<string, string>(knownAgents.map(({ id, npm }) => [npm, id]))
const isAgent = (spec: string) => agentPackages.has(splitNpmSpec(spec).name)
const isAny = () => true

/** Packages of one kind that steps of the last stage install, in the order of the file. Their order carries no meaning. */
function packageField(manager: PackageManager, isShown: (spec: string) => boolean = isAny): Field<string[]> {
  return {
    check(value) {
      const bad = value.find((spec) => !manager.isPackage(spec) || !isShown(spec))
      if (bad !== undefined) return isShown(bad) ? `"${bad}" is no package; write ${manager.example}` : `"${bad}" belongs to the field agents`
      return new Set(value).size === value.length ? null : 'a package is named twice'
    },
    read(source) {
      const lists = findPackageLists(source, manager)
      const specs = lists.flatMap(({ packages }) => packages.map(({ text }) => text)).filter(isShown)
      return valueState([...new Set(specs)], lists[0]?.instruction.span ?? null)
    },
    write: (source, value) => writePackages(source, manager, isShown, value),
  }
}

function writePackages(source: Document, manager: PackageManager, isShown: (spec: string) => boolean, value: readonly string[]): Edit[] | Refusal {
  const lists = findPackageLists(source, manager)
  const present = new Set(lists.flatMap(({ packages }) => packages.map(({ text }) => text)))
  const added = value.filter((spec) => !present.has(spec))
  // A new version of a package takes the old one's place.
  const replaced = lists.flatMap(({ packages }) => packages.flatMap((word): Edit[] => {
    if (!isShown(word.text) || value.includes(word.text)) return []
    const at = added.findIndex((spec) => nameOf(spec) === nameOf(word.text))
    const text = at < 0 ? null : respell(source.text.slice(word.start, word.end), word.text, added[at]!)
    if (text === null) return []
    added.splice(at, 1)
    return [{ start: word.start, end: word.end, text }]
  }))
  const isGone = (word: { text: string; start: number }) => isShown(word.text) && !value.includes(word.text) && !replaced.some(({ start }) => start === word.start)
  const removed = lists.map((list) => removeFrom(source, list, isGone))
  return joinEdits([replaced, ...removed, addPackages(source, manager, lists, isGone, added)])
}

/** Another word in the style of one that is there: quotes stay, and none come; null for a mix of both. */
function respell(written: string, text: string, wanted: string): string | null {
  const quote = /^["']/.exec(written)?.[0] ?? ''
  const spell = (word: string) => (quote === '' ? word.replace(/[^\w@%+=:,./~^-]/g, '\\$&') : `${quote}${word}${quote}`)
  return spell(text) === written ? spell(wanted) : null
}

/** A package's name, without what says which version. */
const nameOf = (spec: string) => /^(@[^/]+\/)?[^@=<>~!/\[\s]+/.exec(spec)?.[0] ?? spec

function removeFrom(source: Document, { instruction, packages, words, isAlone }: PackageList, isGone: (word: PackageList['packages'][number]) => boolean): Edit[] | Refusal {
  const gone = packages.filter(isGone)
  if (gone.length === 0) return []
  if (gone.length < packages.length) return cutWords(source.text, words, gone.map((word) => [words.indexOf(word), words.indexOf(word) + 1] as const))
  if (isAlone) return [removeInstruction(source, instruction)]
  return { why: `"${gone.at(-1)!.text}" is the last package of a step that does more; take the step apart in the text` }
}

function addPackages(
  source: Document, manager: PackageManager, lists: readonly PackageList[], isGone: (word: PackageList['packages'][number]) => boolean, added: readonly string[],
): Edit[] | Refusal {
  if (added.length === 0) return []
  const list = manager.isSingle ? undefined : lists.findLast(({ packages }) => !packages.every(isGone))
  if (!list) return addStep(source, manager, added)
  const last = list.packages.findLast((word) => !isGone(word))!
  const before = list.words[list.words.indexOf(last) - 1]!
  const separator = separatorBetween(source.text, before, last)
  return [{ start: last.end, end: last.end, text: added.map((spec) => `${separator}${shellWord(spec)}`).join('') }]
}

function addStep(source: Document, manager: PackageManager, added: readonly string[]): Edit[] | Refusal {
  const other = manager === packageManagers.apt ? foreignManager(source) : null
  if (other) return { why: `this image installs packages with ${other}, not with apt` }
  return [insertAfter(source, placeForStep(source), manager.newStep(added))]
}

function foreignManager(source: Document): string | null {
  const steps = source.stages.at(-1)!.instructions.filter(({ keyword }) => keyword === 'RUN').map((step) => argumentsOf(source, step))
  const found = steps.map((step) => /\b(apk(?= add)|dnf(?= (-y )?install)|microdnf(?= install)|yum(?= (-y )?install)|zypper|pacman(?= -S))\b/.exec(step)?.[1])
  return found.find((name) => name !== undefined) ?? null
}

export const apt = packageField(packageManagers.apt)
export const npm = packageField(packageManagers.npm, (spec) => !isAgent(spec))
export const pip = packageField(packageManagers.pip)
export const uvTools = packageField(packageManagers.uvTool)

const npmAgents = packageField(packageManagers.npm, isAgent)
const packageOf = (agent: string) => {
  const { name, version } = splitNpmSpec(agent)
  const known = knownAgents.find(({ id }) => id === name)
  return known && (version === null ? known.npm : `${known.npm}@${version}`)
}
const agentOf = (spec: string) => {
  const { name, version } = splitNpmSpec(spec)
  return version === null ? agentPackages.get(name)! : `${agentPackages.get(name)!}@${version}`
}

/** Agents that this text itself installs, as `codex` or `codex@0.171.0`; those of the base come with it. */
export const agents: Field<string[]> = {
  check(value) {
    const bad = value.find((agent) => packageOf(agent) === undefined || !packageManagers.npm.isPackage(packageOf(agent)!))
    if (bad !== undefined) return `"${bad}" is no agent; write one of: ${knownAgents.map(({ id }) => id).join(', ')}, with @VERSION behind it`
    return new Set(value.map((agent) => splitNpmSpec(agent).name)).size === value.length ? null : 'an agent is named twice'
  },
  read(source) {
    const state = npmAgents.read(source)
    const installed = state.kind === 'value' ? state.value.map(agentOf) : []
    return valueState([...pinnedAgents(source), ...installed], state.span)
  },
  write(source, value) {
    const pinned = pinnedAgents(source)
    const missing = pinned.find((agent) => !value.includes(agent))
    if (missing !== undefined) return { why: `"${missing}" is pinned and installed by a step of its own; change it in the text, or with "paddock upgrade"` }
    return npmAgents.write(source, value.filter((agent) => !pinned.includes(agent)).map((agent) => packageOf(agent)!))
  },
}

function pinnedAgents({ text, instructions }: Document): string[] {
  return findPins(text, instructions).flatMap(({ npm: name, version }) => (agentPackages.has(name) ? [`${agentPackages.get(name)!}@${version}`] : []))
}
