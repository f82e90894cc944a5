import { applyEdits, type Edit, type Span } from '../containerfile/edit.ts'
import { isRefusal } from '../containerfile/glyphs.ts'
import { base } from './base-field.ts'
import { cpus, desktop, pids, ramMib, tmpSize, workdir } from './cap-fields.ts'
import { allow, egress } from './egress-field.ts'
import { placeForStep, readDocument } from './containerfile-document.ts'
import { environment } from './environment-field.ts'
import type { Field, FieldState, FormSource } from './field.ts'
import { flags, optionInWords, ports } from './flag-fields.ts'
import { writeLabel } from './inherited-label.ts'
import { insertAfter, removeInstruction } from './instruction-edits.ts'
import { needsOwnLabel } from './label-field.ts'
import { home, mounts } from './mount-fields.ts'
import { differenceOf } from '../text-difference.ts'
import { agents, apt, npm, pip, uvTools } from './package-fields.ts'
import { findRunLabel } from './run-label-source.ts'

/** Every field of the form, in its order. */
export const fields = { base, apt, npm, pip, uvTools, agents, environment, ramMib, cpus, tmpSize, pids, egress, allow, mounts, ports, home, desktop, workdir, flags }

export type Fields = typeof fields
export type FieldName = keyof Fields
export type FieldValue<N extends FieldName> = Fields[N] extends Field<infer T> ? T : never
export const fieldNames = Object.keys(fields) as FieldName[]

/** Fields that are read from the image's steps; the others are in the run label. */
const stepFields: ReadonlySet<FieldName> = new Set<FieldName>(['base', 'apt', 'npm', 'pip', 'uvTools', 'agents', 'environment'])

/** What the text alone does not tell. */
export interface FormContext {
  /** The run label that the image below hands down, as it carries it; null or absent when there is none or it is not known. */
  inheritedLabel?: string | null
}

/** The run label for reading: one argument a line. */
export interface LabelView {
  /** `opaque` cannot be taken apart: `why` says it. */
  kind: 'own' | 'inherited' | 'none' | 'opaque'
  why: string | null
  /** Places are null in an inherited label. */
  lines: { text: string; span: Span | null }[]
}

/** A Containerfile as the form shows it, with the source that `setField` and the findings start from. */
export interface ProfileForm {
  source: FormSource
  values: { [N in FieldName]: FieldState<FieldValue<N>> }
  label: LabelView
}

/** Reads a Containerfile for the form. Never throws: what the form cannot express is `unsupported`. Pure. */
export function parseProfile(text: string, context: FormContext = {}): ProfileForm {
  const source = readSource(text, context)
  const values = Object.fromEntries(fieldNames.map((name) => [name, fields[name].read(source)])) as ProfileForm['values']
  return { source, values, label: viewLabel(source) }
}

function readSource(text: string, { inheritedLabel }: FormContext): FormSource {
  const document = readDocument(text)
  const written = inheritedLabel ? writeLabel(inheritedLabel) : null
  return { ...document, label: findRunLabel(document), inherited: written === null ? null : findRunLabel(readDocument(`FROM scratch\n${written}\n`)) }
}

function viewLabel({ label, inherited }: FormSource): LabelView {
  const shown = label ?? inherited
  if (!shown) return { kind: 'none', why: null, lines: [] }
  if (isRefusal(shown)) return { kind: 'opaque', why: shown.why, lines: [] }
  const isOwn = label !== null
  const rest = shown.words.slice(shown.imageAt).map(({ text, span }) => ({ text, span: isOwn ? span : null }))
  return { kind: isOwn ? 'own' : 'inherited', why: null, lines: [...shown.options.map((option) => ({ text: optionInWords(option), span: isOwn ? option.span : null })), ...rest] }
}

/** A changed text, or why there is none. */
export type SetResult =
  | { ok: true; text: string; edits: Edit[] }
  /** One sentence. */
  | { ok: false; why: string }

/**
 * Changes one field, and in the text only what has to change for it: all else stays byte for byte. Setting a value that
 * is there changes nothing; a value put back restores the text, but for the place and spelling of what had been taken out.
 * What the form cannot express is refused. Pure.
 */
export function setField<N extends FieldName>(text: string, name: N, value: FieldValue<N>, context: FormContext = {}): SetResult {
  const field = fields[name] as unknown as Field<FieldValue<N>>
  const invalid = field.check(value)
  if (invalid !== null) return { ok: false, why: sentence(invalid) }
  const source = readSource(text, context)
  if (source.obstacle !== null) return { ok: false, why: sentence(source.obstacle) }
  const state = field.read(source)
  if (state.kind === 'unsupported') return { ok: false, why: sentence(state.why) }
  if (JSON.stringify(state.value) === JSON.stringify(value)) return { ok: true, text, edits: [] }
  const isLabelField = !stepFields.has(name)
  const started = isLabelField && needsOwnLabel(source) ? withOwnLabel(source, context) : source
  const edits = field.write(started, value)
  if (isRefusal(edits)) return { ok: false, why: sentence(edits.why) }
  const changed = applyEdits(started.text, edits)
  const text2 = isLabelField ? withoutInheritedLabel(changed, context) : changed
  const difference = differenceOf(text, text2)
  return { ok: true, text: text2, edits: text2 === changed && started === source ? edits : difference ? [difference] : [] }
}

/** The same profile with a copy of the label that it inherits. */
function withOwnLabel(source: FormSource, context: FormContext): FormSource {
  const last = source.stages.at(-1)!.instructions.at(-1) ?? placeForStep(source)
  return readSource(applyEdits(source.text, [insertAfter(source, last, writeLabel(context.inheritedLabel!)!)]), context)
}

/** A label that says what the image below says anyway, in Paddock's own spelling, is not needed. */
function withoutInheritedLabel(text: string, context: FormContext): string {
  const written = context.inheritedLabel ? writeLabel(context.inheritedLabel) : null
  const { label, ...document } = readSource(text, context)
  if (written === null || label === null || isRefusal(label)) return text
  const own = text.slice(label.instruction.span.start, label.instruction.span.end)
  return own.replaceAll('\r\n', '\n') === written ? applyEdits(text, [removeInstruction(document, label.instruction)]) : text
}

const sentence = (clause: string) => `${clause[0]!.toUpperCase()}${clause.slice(1)}.`

export type { FieldState }
