import { quote, split } from 'shlex'
import { desktopAnnotation } from '../desktop.ts'
import { limitProblem } from '../limit-option.ts'
import { portProblem } from '../published-port.ts'
import { parseRunArguments, type RunOption } from '../run-flags.ts'
import { valueState } from './field.ts'
import { ownNetworks } from './egress-field.ts'
import { changeOptions } from './label-edits.ts'
import { labelField } from './label-field.ts'
import { mountFieldOf } from './mount-fields.ts'
import type { RunLabelSource } from './run-label-source.ts'

/** Ports of the sandbox that are open on this machine, as `--publish` spells them. */
export const ports = labelField<string[]>({
  absent: [],
  check: (value) => {
    const problem = value.map(portProblem).find((why) => why !== null)
    if (problem !== undefined) return problem
    return new Set(value).size === value.length ? null : 'a port is named twice'
  },
  read(label) {
    const found = published(label)
    return valueState(found.map(({ value }) => value!), found[0]?.span ?? null)
  },
  write(source, label, value) {
    const found = published(label)
    const known = new Set(found.map((option) => option.value!))
    const removed = found.filter((option) => !value.includes(option.value!))
    const added = value.filter((port) => !known.has(port)).map((port) => ({ flag: '--publish', value: port }))
    return changeOptions(source, label, removed, added)
  },
})

const published = ({ options }: RunLabelSource) => options.filter(({ flag }) => flag === '--publish')

/** An option in one line, as a shell would take it. */
export const optionInWords = ({ flag, value }: RunOption) => (value === null ? flag : `${flag} ${/^[\w@%+=:,./$~-]+$/.test(value) ? value : quote(value)}`)

/** Which field shows an option; null for the raw list. */
export function fieldOf(option: RunOption): string | null {
  const { flag, value } = option
  if (flag === '--annotation') return annotationFields[value!.split('=')[0]!] ?? null
  if (flag === '--tmpfs') return /^\/tmp(:|$)/.test(value!) ? 'tmp' : null
  if (flag === '--network') return ownNetworks.has(value!) ? 'egress' : null
  return optionFields[flag] ?? mountFieldOf(option)
}

const annotationFields: Record<string, string> = { 'krun.ram_mib': 'ram', 'krun.cpus': 'cpus', 'dev.paddock.egress': 'egress', 'dev.paddock.egress-allow': 'allow', [desktopAnnotation]: 'desktop' }
const optionFields: Record<string, string> = { '--pids-limit': 'pids', '--publish': 'ports', '--workdir': 'workdir' }

/** Options that no other field shows, each as it would be typed. */
export const flags = labelField<string[]>({
  absent: [],
  check(value) {
    for (const text of value) {
      const option = parseOption(text)
      if (!option) return `"${text}" is not one option of podman run`
      const field = fieldOf(option)
      if (field !== null) return `"${text}" belongs to the field ${field}`
      const problem = limitProblem(option.flag, option.value)
      if (problem !== null) return problem
    }
    return null
  },
  read: (label) => valueState(others(label).map(optionInWords)),
  write(source, label, value) {
    const wanted = value.map((text) => optionInWords(parseOption(text)!))
    const kept = [...wanted]
    const removed = others(label).filter((option) => {
      const at = kept.indexOf(optionInWords(option))
      if (at >= 0) kept.splice(at, 1)
      return at < 0
    })
    return changeOptions(source, label, removed, kept.map((text) => parseOption(text)!))
  },
})

const others = ({ options }: RunLabelSource) => options.filter((option) => fieldOf(option) === null)

function parseOption(text: string): RunOption | null {
  try {
    const { options, image, command } = parseRunArguments([...split(text), '$IMAGE'])
    return options.length === 1 && image === '$IMAGE' && command.length === 0 && /^--?[a-z]/i.test(options[0]!.flag) && options[0]!.value !== '$IMAGE' ? options[0]! : null
  } catch {
    return null
  }
}
