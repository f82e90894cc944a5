import type { Edit } from '../containerfile/edit.ts'
import type { Refusal } from '../containerfile/glyphs.ts'
import { desktopAnnotation } from '../desktop.ts'
import { unsupported, valueState } from './field.ts'
import { addOptions, removeOptions, setOptionValue } from './label-edits.ts'
import { type LabelField, labelField } from './label-field.ts'
import type { LabelOption, RunLabelSource } from './run-label-source.ts'

/** Where a field's value stands in the label: options of one flag whose value begins with a key. */
interface Place<T> {
  flag: string
  /** E.g. `krun.ram_mib=`; empty for a flag whose value is the field's. */
  key: string
  /** null where the text is none of this field's values. */
  parse: (text: string) => T | null
  check: (value: T) => string | null
}

/** A field that is the value of one option, or of one annotation. */
function optionField<T extends string | number>({ flag, key, parse, check }: Place<T>) {
  const find = ({ options }: RunLabelSource) => options.filter((option) => option.flag === flag && option.value?.startsWith(key))
  return labelField<T | null>({
    absent: null,
    check: (value) => (value === null ? null : check(value)),
    read(label) {
      const option = find(label).at(-1)
      if (!option) return valueState<T | null>(null)
      const text = option.value!.slice(key.length)
      const value = parse(text)
      return value === null ? unsupported(`${flag} ${option.value} is no value that the form knows`, option.span) : valueState<T | null>(value, option.span)
    },
    write(source, label, value) {
      const found = find(label)
      const last = found.at(-1)
      if (value === null) return removeOptions(source, label, found)
      return last ? setOptionValue(source, last, `${key}${value}`) : addOptions(source, label, [{ flag, value: `${key}${value}` }])
    },
  } satisfies LabelField<T | null>)
}

const wholeNumber = (text: string) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : null)
const between = (least: number, most: number, what: string) => (value: number) =>
  Number.isInteger(value) && value >= least && value <= most ? null : `${what} must be a whole number from ${least} to ${most}`

export const ramMib = optionField({ flag: '--annotation', key: 'krun.ram_mib=', parse: wholeNumber, check: between(128, 16_777_216, 'RAM in MiB') })
export const cpus = optionField({ flag: '--annotation', key: 'krun.cpus=', parse: wholeNumber, check: between(1, 255, 'the number of CPUs') })
export const pids = optionField({ flag: '--pids-limit', key: '', parse: wholeNumber, check: between(1, 4_194_304, 'the number of processes') })

/** `on` and `off` are spelled out in the label as `true` and `false`; null where it says nothing. */
const desktopText = optionField<'true' | 'false'>({
  flag: '--annotation', key: `${desktopAnnotation}=`,
  parse: (text) => (text === 'true' || text === 'false' ? text : null),
  check: () => null,
})
export const desktop = {
  check: (value: boolean | null) => (value === null || typeof value === 'boolean' ? null : 'desktop must be on or off'),
  read: (source: Parameters<typeof desktopText.read>[0]) => {
    const state = desktopText.read(source)
    return state.kind === 'value' ? { ...state, value: state.value === null ? null : state.value === 'true' } : state
  },
  write: (source: Parameters<typeof desktopText.write>[0], value: boolean | null) =>
    desktopText.write(source, value === null ? null : value ? 'true' : 'false'),
}

const absolutePath = /^\/[^\u0000-\u001f$]*$/
export const workdir = optionField({
  flag: '--workdir', key: '',
  parse: (text) => (absolutePath.test(text) ? text : null),
  check: (value) => (absolutePath.test(value) ? null : 'the working directory must be an absolute path in the sandbox, without $'),
})

const tmpfsStart = '/tmp'
const safeTmpfs = '/tmp:rw,noexec,nosuid,nodev'
const sizePattern = /^[1-9]\d{0,14}[bkmg]?$/i
const unitBytes: Record<string, number> = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }
/** A few pages, and as much as RAM may be: a tmpfs lies in it. */
const [leastTmp, mostTmp] = [64 * 1024, 16 * 1024 ** 4] as const

function tmpProblem(size: string): string | null {
  const bytes = sizePattern.test(size) ? Number.parseInt(size) * (unitBytes[size.at(-1)!.toLowerCase()] ?? 1) : Number.NaN
  return bytes >= leastTmp && bytes <= mostTmp ? null : 'the size of /tmp must be a number with k, m or g behind it, from 64k to 16384g'
}

/** Size of /tmp. Without one, a new tmpfs has every other protection; taking the size away leaves the tmpfs. */
export const tmpSize = labelField<string | null>({
  absent: null,
  check: (value) => (value === null ? null : tmpProblem(value)),
  read(label) {
    const { option, size } = findTmpfs(label)
    if (!option) return valueState<string | null>(null)
    return size === null || sizePattern.test(size) ? valueState<string | null>(size, option.span) : unsupported(`size=${size} is no size that the form knows`, option.span)
  },
  write(source, label, value): Edit[] | Refusal {
    const { option, size } = findTmpfs(label)
    if (!option) return value === null ? [] : addOptions(source, label, [{ flag: '--tmpfs', value: `${safeTmpfs},size=${value}` }])
    const [path, flags = ''] = splitOnce(option.value!)
    const parts = flags === '' ? [] : flags.split(',')
    const changed = size === null ? [...parts, `size=${value}`] : parts.flatMap((part) => (!part.startsWith('size=') ? [part] : value === null ? [] : [`size=${value}`]))
    if (value === null && size === null) return []
    return setOptionValue(source, option, changed.length === 0 ? path : `${path}:${changed.join(',')}`)
  },
})

function findTmpfs({ options }: RunLabelSource): { option: LabelOption | null; size: string | null } {
  const option = options.find(({ flag, value }) => flag === '--tmpfs' && splitOnce(value!)[0] === tmpfsStart) ?? null
  const size = option === null ? null : (/(?:^|,)size=([^,]*)/.exec(splitOnce(option.value!)[1] ?? '')?.[1] ?? null)
  return { option, size }
}

function splitOnce(value: string): [path: string, flags?: string] {
  const at = value.indexOf(':')
  return at < 0 ? [value] : [value.slice(0, at), value.slice(at + 1)]
}
