import type { Edit, Span } from '../../containerfile/edit.ts'
import { isRefusal, type Refusal } from '../../containerfile/glyphs.ts'
import type { Finding } from '../../finding.ts'
import { findingsOf } from '../../findings.ts'
import type { RunArguments, RunOption } from '../../run-flags.ts'
import { joinEdits } from '../join-edits.ts'
import { addOptions, removeOptions, setOptionValue } from '../label-edits.ts'
import type { ProfileForm } from '../profile-form.ts'
import type { LabelOption, OpaqueLabel, RunLabelSource } from '../run-label-source.ts'
import type { Found } from './lint-profile.ts'
import { controls, reasonFor } from './label-reasons.ts'

/** What the text's own run label gives away or lacks; one that is inherited is the base's to mend. */
export function labelFindings({ source, values }: ProfileForm): Found[] {
  const { text, label } = source
  if (!label) return []
  const bare = bareVariables(label)
  if (isRefusal(label)) return [...bare, { level: 'error', rule: 'label', message: `The run label cannot be read: ${label.why}.`, why: 'Nothing can be launched from a label that says something else than it shows.', ...label.span, fix: null }]
  const judged = argumentsOf(label)
  const found = findingsOf(judged).map((finding) => place(text, label, finding, judged))
  const unknown = (['egress', 'desktop'] as const).flatMap((name): Found[] => {
    const state = values[name]
    return state.kind === 'unsupported' && state.span ? [{ level: 'error', rule: name, message: `${state.why}.`, why: 'A mode that nobody knows is a mode that nobody enforces.', ...state.span, fix: null }] : []
  })
  return [...bare, ...found, ...unknown]
}

const launchVariables = new Set(['PWD', 'HOME', 'USER', 'IMAGE', 'NAME'])

/** Variables that are meant for the launch and that the build replaces, by nothing as a rule. */
function bareVariables({ references }: RunLabelSource | OpaqueLabel): Found[] {
  return references
    .filter(({ name }) => launchVariables.has(name))
    .map(({ name, start, end }): Found => ({
      level: 'error', rule: 'bare-variable', start, end,
      message: `$${name} needs a backslash before it here.`,
      why: 'The build replaces a bare variable, by nothing as a rule, so the label would mount or name something else.',
      fix: { title: `Write \\$${name}`, edits: [{ start, end: start, text: '\\' }] },
    }))
}

/** The label as it is judged everywhere: a whole word IMAGE or NAME is a variable. */
function argumentsOf({ options, words, imageAt }: RunLabelSource): RunArguments {
  const meant = (word: string) => (/^(IMAGE|NAME)$/.test(word) ? `$${word}` : word)
  return {
    options: options.map(({ flag, value }) => ({ flag, value: value === null ? null : meant(value) })),
    image: meant(words[imageAt]!.text),
    command: words.slice(imageAt + 1).map(({ text }) => text),
  }
}

function place(text: string, label: RunLabelSource, finding: Finding, judged: RunArguments): Found {
  const { level: power, rule, message } = finding
  const control = power === 'high' ? undefined : controls[rule]
  const option = control === undefined || rule === 'tmp' || rule === 'egress' ? causeOf(label, finding, judged) : null
  const span: Span = option?.span ?? (rule === 'image' ? label.words[label.imageAt]!.span : { start: label.words[0]!.span.start, end: label.words[1]!.span.end })
  const level = power === 'high' || (power === 'medium' && control !== undefined) ? 'error' : power === 'medium' ? 'warning' : 'note'
  return { level, rule, message, why: reasonFor(rule), ...span, fix: fixFor(text, label, finding, option) }
}

/** The option without which the finding would not be there. */
function causeOf(label: RunLabelSource, finding: Finding, judged: RunArguments): LabelOption | null {
  if (finding.rule === 'tmp') return label.options.find(({ flag, value }) => flag === '--tmpfs' && /^\/tmp(:|$)/.test(value!)) ?? null
  const isGoneWithout = (index: number) =>
    !findingsOf({ ...judged, options: judged.options.toSpliced(index, 1) }).some(({ rule, message }) => rule === finding.rule && message === finding.message)
  return label.options.find((_option, index) => isGoneWithout(index)) ?? null
}

function fixFor(text: string, label: RunLabelSource, { level, rule, message }: Finding, option: LabelOption | null): Found['fix'] {
  if (rule === 'tmp' && option) return fix('Add what it lacks', setOptionValue(text, option, hardenedTmpfs(option.value!)))
  if (rule === 'egress') return fix('Take the network away', withoutNetwork(text, label))
  if (option) return fix(`Remove ${option.flag}`, removeOptions(text, label, [option]))
  const missing: RunOption | undefined = level === 'high' ? undefined : rule === 'krun-annotation' ? krunDefault(message) : controls[rule]
  return missing ? fix(`Add ${missing.flag}${missing.value === null ? '' : ` ${missing.value}`}`, addOptions(text, label, [missing])) : null
}

function withoutNetwork(text: string, label: RunLabelSource): Edit[] | Refusal {
  const [first, ...others] = label.options.filter(({ flag }) => flag === '--network')
  if (!first) return addOptions(text, label, [controls.egress!])
  return joinEdits([setOptionValue(text, first, 'none'), removeOptions(text, label, others)])
}

const fix = (title: string, edits: Edit[] | Refusal): Found['fix'] => (isRefusal(edits) ? null : { title, edits })

const krunDefaults: Record<string, string> = { 'krun.use_passt': '1', 'krun.ram_mib': '2048', 'krun.cpus': '2' }

function krunDefault(message: string): RunOption | undefined {
  const key = Object.keys(krunDefaults).find((name) => message.includes(name))
  return key === undefined ? undefined : { flag: '--annotation', value: `${key}=${krunDefaults[key]}` }
}

function hardenedTmpfs(value: string): string {
  const [path, options = ''] = value.split(':')
  const kept = options.split(',').filter((option) => option !== '' && !['exec', 'suid', 'dev'].includes(option))
  const added = ['noexec', 'nosuid', 'nodev'].filter((option) => !kept.includes(option))
  const size = kept.some((option) => option.startsWith('size=')) ? [] : ['size=512m']
  return `${path}:${[...kept, ...added, ...size].join(',')}`
}
