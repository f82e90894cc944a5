import { egressAllowAnnotation, egressAnnotation, type EgressMode, egressModes, writtenAllowances } from '../egress.ts'
import { parseAllowance } from '../egress-allowances.ts'
import { unsupported, valueState } from './field.ts'
import { joinEdits } from './join-edits.ts'
import { addOptions, removeOptions, setOptionValue } from './label-edits.ts'
import { labelField } from './label-field.ts'
import type { LabelOption, RunLabelSource } from './run-label-source.ts'

/** Networks that go with a mode; another one is the label's own, and no mode's. */
export const ownNetworks: ReadonlySet<string> = new Set(['pasta', 'none'])

const annotationsIn = ({ options }: RunLabelSource) => options.filter(({ flag, value }) => flag === '--annotation' && value!.startsWith(egressAnnotation))
const networksIn = ({ options }: RunLabelSource) => options.filter(({ flag }) => flag === '--network')

/**
 * What the sandbox may reach. A mode other than `open` takes the network away in the label: Paddock's launch is not the only
 * one that it is read by, and plain Podman knows no modes.
 */
export const egress = labelField<EgressMode | null>({
  absent: null,
  check: (value) => (value === null || egressModes.includes(value) ? null : `egress must be one of: ${egressModes.join(', ')}`),
  read(label) {
    const option = annotationsIn(label).at(-1)
    const network = networksIn(label)
    if (!option) return network.length > 0 && network.every(({ value }) => value === 'none') ? valueState<EgressMode | null>('deny', network[0]!.span) : valueState<EgressMode | null>(null)
    const mode = egressModes.find((known) => known === option.value!.slice(egressAnnotation.length))
    return mode === undefined ? unsupported(`${option.flag} ${option.value} is no value that the form knows`, option.span) : valueState<EgressMode | null>(mode, option.span)
  },
  write(source, label, value) {
    const found = annotationsIn(label)
    const last = found.at(-1)
    const annotation = { flag: '--annotation', value: `${egressAnnotation}${value}` }
    const written = value === null ? removeOptions(source, label, found) : last ? setOptionValue(source, last, annotation.value) : addOptions(source, label, [annotation])
    return joinEdits([withNetwork(source, label, value === 'deny' || value === 'allowlist' ? 'none' : 'pasta'), written])
  },
})

function withNetwork(source: string, label: RunLabelSource, wanted: 'none' | 'pasta') {
  const [network, ...others] = networksIn(label)
  if (wanted === 'pasta' && network?.value !== 'none') return []
  if (network === undefined) return addOptions(source, label, [{ flag: '--network', value: wanted }])
  if (others.length > 0 || !ownNetworks.has(network.value!)) return { why: `--network ${network.value} is the label’s own, and this mode has none` }
  return network.value === wanted ? [] : setOptionValue(source, network, wanted)
}

const allowancesIn = ({ options }: RunLabelSource) => options.filter(({ flag, value }) => flag === '--annotation' && value!.startsWith(egressAllowAnnotation))
const wordsOf = (option: LabelOption) => writtenAllowances([option])

/** Lists, hosts and addresses that the sandbox may reach, a word each, as `parseAllowance` reads them. */
export const allow = labelField<string[]>({
  absent: [],
  check(value) {
    for (const word of value) {
      const allowance = parseAllowance(word)
      if (typeof allowance === 'string') return `"${word}" opens nothing: ${allowance}`
    }
    return new Set(value).size === value.length ? null : 'a word is there twice'
  },
  read(label) {
    const found = allowancesIn(label)
    return valueState(found.flatMap(wordsOf), found[0]?.span ?? null)
  },
  write(source, label, value) {
    const found = allowancesIn(label)
    const known = found.flatMap(wordsOf)
    const added = value.filter((word) => !known.includes(word))
    const kept = found.map((option) => ({ option, words: wordsOf(option).filter((word) => value.includes(word)) }))
    // New words go behind those that are there; what is left empty goes.
    const last = kept.findLast(({ words }) => words.length > 0) ?? kept.at(-1)
    last?.words.push(...added)
    const empty = kept.filter(({ words }) => words.length === 0).map(({ option }) => option)
    const changed = kept.filter(({ option, words }) => words.length > 0 && words.join() !== wordsOf(option).join())
    return joinEdits([
      removeOptions(source, label, empty),
      ...changed.map(({ option, words }) => setOptionValue(source, option, `${egressAllowAnnotation}${words.join(',')}`)),
      last || added.length === 0 ? [] : addOptions(source, label, [{ flag: '--annotation', value: `${egressAllowAnnotation}${added.join(',')}` }]),
    ])
  },
})
