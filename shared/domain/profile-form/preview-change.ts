import { placeOf } from '../containerfile/edit.ts'
import type { Instruction } from '../containerfile/instructions.ts'
import { argumentsOf, type Document, type DocumentStage, readDocument, wordingOf } from './containerfile-document.ts'

/** What a change of a Containerfile means for whoever saves it. */
export interface ChangePreview {
  /** `next-launch`: only the image's description changes, no step is run again. */
  effect: 'none' | 'next-launch' | 'rebuild'
  /** The first instruction that the cache cannot answer; null when nothing changes, or only something was taken away. */
  firstChanged: { line: number; keyword: string } | null
  /** Instructions whose layers stay, of all there are. */
  cachedSteps: number
  steps: number
  /** One sentence for a person. */
  sentence: string
}

interface StageChange {
  stage: DocumentStage
  /** FROM and what follows it. */
  instructions: Instruction[]
  /** How many of them stay as they are. */
  kept: number
  /** Keywords of what is new or gone. */
  touched: string[]
}

/** Instructions that make a layer of files. */
const working = new Set(['FROM', 'RUN', 'COPY', 'ADD'])

/** Tells what a change means: whether a build is needed, and from where. Pure. */
export function previewChange(before: string, after: string): ChangePreview {
  const [old, now] = [readDocument(before), readDocument(after)]
  const changed = changedDefaults(old, now)
  const stages: StageChange[] = []
  for (const stage of now.stages) stages.push(changeOf(old, now, stage, changed, stages))
  const steps = stages.reduce((sum, { instructions }) => sum + instructions.length, 0)
  const cachedSteps = stages.reduce((sum, { kept }) => sum + kept, 0)
  const touched = stages.flatMap((one) => one.touched)
  const first = stages.map(({ instructions, kept }) => instructions[kept]).find((instruction) => instruction !== undefined)
  const isGone = old.stages.length > now.stages.length
  const effect = touched.length === 0 && !isGone ? 'none' : touched.some((keyword) => working.has(keyword)) || isGone ? 'rebuild' : 'next-launch'
  const firstChanged = first && effect !== 'none' ? { line: placeOf(after, first.span.start).line, keyword: first.keyword } : null
  return { effect, firstChanged, cachedSteps, steps, sentence: sentenceFor(effect, firstChanged, cachedSteps, steps) }
}

function sentenceFor(effect: ChangePreview['effect'], first: ChangePreview['firstChanged'], cached: number, steps: number): string {
  if (effect === 'none') return 'Nothing that the image is made of changes.'
  if (effect === 'next-launch') return 'Takes effect at the next launch; no step is built again.'
  const from = first ? ` from line ${first.line}, ${first.keyword}` : ''
  return `Rebuild needed${from}; ${cached} of ${steps} steps come from the cache.`
}

function changeOf(old: Document, now: Document, stage: DocumentStage, changed: ReadonlySet<string>, earlier: readonly StageChange[]): StageChange {
  const at = now.stages.indexOf(stage)
  const former = (stage.name === null ? undefined : old.stages.find(({ name }) => name === stage.name)) ?? old.stages[at]
  const instructions = [stage.from, ...stage.instructions]
  const before = former ? [former.from, ...former.instructions] : []
  let kept = 0
  while (kept < instructions.length && kept < before.length && wordingOf(now, instructions[kept]!) === wordingOf(old, before[kept]!)) kept++
  const isDirty = (instruction: Instruction) => usesDefault(now, instruction, changed) || usesStage(now, instruction, earlier)
  const dirtyAt = instructions.slice(0, kept).findIndex(isDirty)
  if (dirtyAt >= 0) kept = dirtyAt
  return { stage, instructions, kept, touched: [...instructions.slice(kept), ...before.slice(kept)].map(({ keyword }) => keyword) }
}

/** ARGs before the first FROM whose defaults differ. */
function changedDefaults(old: Document, now: Document): Set<string> {
  const names = [...old.globals.keys(), ...now.globals.keys()]
  return new Set(names.filter((name) => old.globals.get(name) !== now.globals.get(name)))
}

function usesDefault(document: Document, instruction: Instruction, changed: ReadonlySet<string>): boolean {
  if (changed.size === 0) return false
  const args = argumentsOf(document, instruction)
  if (instruction.keyword === 'ARG') return args.split(/\s+/).some((word) => changed.has(word))
  return instruction.keyword === 'FROM' && [...args.matchAll(/\$\{?(\w+)/g)].some(([, name]) => changed.has(name!))
}

/** Whether it starts from or copies from a stage that is built anew. */
function usesStage(document: Document, instruction: Instruction, earlier: readonly StageChange[]): boolean {
  const dirty = earlier.filter(({ touched }) => touched.some((keyword) => working.has(keyword)))
  if (dirty.length === 0) return false
  const args = argumentsOf(document, instruction)
  const names = dirty.flatMap(({ stage }) => [stage.name, String(document.stages.indexOf(stage))]).filter((name) => name !== null)
  const used = instruction.keyword === 'FROM' ? [args.split(/\s+/).find((word) => !word.startsWith('--'))] : [...args.matchAll(/\bfrom=([^\s,]+)/g)].map(([, name]) => name)
  return used.some((name) => name !== undefined && names.includes(name.toLowerCase()))
}
