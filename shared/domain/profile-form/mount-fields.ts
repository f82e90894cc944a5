import { decodeCsv, encodeCsv } from '../csv.ts'
import type { RunOption } from '../run-flags.ts'
import { homeMountPoint, projectMountPoint } from '../sandbox.ts'
import { unsupported, valueState } from './field.ts'
import { joinEdits } from './join-edits.ts'
import { addOptions, changeOptions, removeOptions, setOptionValue } from './label-edits.ts'
import { labelField } from './label-field.ts'
import type { LabelOption, RunLabelSource } from './run-label-source.ts'

/** A folder or file of the host in the sandbox. */
export interface ExtraMount {
  /** As the label spells it: absolute, or beginning with $HOME or $PWD. */
  source: string
  /** Absolute path in the sandbox. */
  target: string
  readOnly: boolean
}

/** A bind mount as its option spells it, and how to spell the same with other access. */
interface WrittenMount extends ExtraMount {
  option: LabelOption
  withAccess(readOnly: boolean): string
}

/** The bind mounts of a label that the form can show; volumes by name, overlays and other kinds stay among the flags. */
function bindMounts({ options }: RunLabelSource): WrittenMount[] {
  return options.flatMap((option) => {
    const parsed = parseBindMount(option)
    return parsed ? [{ ...parsed, option }] : []
  })
}

function parseBindMount({ flag, value }: RunOption): Omit<WrittenMount, 'option'> | null {
  return flag === '--volume' ? parseVolume(value!) : flag === '--mount' ? parseMount(value!) : null
}

/** Which field shows an option; null for the project's mount and for what is no bind mount of a simple kind. */
export function mountFieldOf(option: RunOption): 'home' | 'mounts' | null {
  if (option.flag !== '--volume' && option.flag !== '--mount') return null
  if (mountsHome.test(option.value!)) return 'home'
  const mount = parseBindMount(option)
  return mount && !isProject(mount) ? 'mounts' : null
}

const mountsHome = new RegExp(`[:=,]${homeMountPoint}([:,]|$)`)

const knownVolumeOptions = new Set(['ro', 'rw', 'z', 'Z'])

function parseVolume(value: string): Omit<WrittenMount, 'option'> | null {
  const [source, target, flags, ...rest] = value.split(':')
  if (source === undefined || target === undefined || rest.length > 0 || !/^[/$]/.test(source)) return null
  const parts = flags ? flags.split(',') : []
  if (!parts.every((part) => knownVolumeOptions.has(part))) return null
  return {
    source, target, readOnly: parts.findLast((part) => part === 'ro' || part === 'rw') === 'ro',
    withAccess: (readOnly) => [source, target, ...(withVolumeAccess(parts, readOnly).length > 0 ? [withVolumeAccess(parts, readOnly).join(',')] : [])].join(':'),
  }
}

/**
 * A `ro` that this puts in stands first, and only one that stands there is taken out: so each change can be taken back
 * exactly. An access that the person wrote elsewhere is replaced where it stands.
 */
function withVolumeAccess(parts: readonly string[], readOnly: boolean): string[] {
  const at = parts.findLastIndex((part) => part === 'ro' || part === 'rw')
  if (at < 0) return readOnly ? ['ro', ...parts] : [...parts]
  if (at === 0 && !readOnly) return parts.slice(1)
  return parts.with(at, readOnly ? 'ro' : 'rw')
}

function parseMount(value: string): Omit<WrittenMount, 'option'> | null {
  const fields = decodeCsv(value)
  const get = (...names: string[]) => fields.findLast((field) => names.includes(field.split('=')[0]!))
  const rest = (field: string | undefined) => field?.slice(field.indexOf('=') + 1)
  const [source, target] = [rest(get('source', 'src')), rest(get('destination', 'dst', 'target'))]
  const access = get('ro', 'readonly', 'rw')
  const isKnown = fields.every((field) => /^(type=bind|source=|src=|destination=|dst=|target=|(ro|readonly|rw)(=(true|false))?$|relabel=)/.test(field))
  if (!fields.includes('type=bind') || !isKnown || source === undefined || target === undefined) return null
  const isSet = access !== undefined && !access.endsWith('=false')
  const readOnly = access?.startsWith('rw') ? !isSet : isSet
  return {
    source, target, readOnly,
    withAccess(wanted) {
      if (access === undefined) return encodeCsv(wanted ? [...fields, 'ro'] : fields)
      if (access === 'ro' && !wanted && fields.at(-1) === access) return encodeCsv(fields.slice(0, -1))
      const name = access.split('=')[0]!
      return encodeCsv(fields.map((field) => (field === access ? `${name}=${String(name === 'rw' ? !wanted : wanted)}` : field)))
    },
  }
}

const isHome = ({ target }: ExtraMount) => target === homeMountPoint
const isProject = ({ source, target }: ExtraMount) => target === projectMountPoint || /^\$(\{PWD\}|PWD)\/?$/.test(source)

/** Mounts beside the home and the project. */
const extraMounts = (label: RunLabelSource) => bindMounts(label).filter((mount) => !isHome(mount) && !isProject(mount))

/** A new mount. `--volume` cannot carry every path; the variables in one get their values only at launch. */
function writeMount({ source, target, readOnly }: ExtraMount): RunOption {
  if (!/[:,"\\]/.test(source + target)) return { flag: '--volume', value: `${source}:${target}:${readOnly ? 'ro,z' : 'z'}` }
  return { flag: '--mount', value: encodeCsv(['type=bind', `source=${source}`, `destination=${target}`, 'relabel=shared', ...(readOnly ? ['ro'] : [])]) }
}

const sameMount = (a: ExtraMount, b: ExtraMount) => a.source === b.source && a.target === b.target

export const mounts = labelField<ExtraMount[]>({
  absent: [],
  check(value) {
    for (const { source, target } of value) {
      if (!/^(\/|\$HOME(\/|$)|\$PWD\/)[^$\u0000-\u001f]*$/.test(source)) return `the source ${source} must be an absolute path, or begin with $HOME or $PWD/`
      if (!/^\/[^$\u0000-\u001f]+$/.test(target)) return `the target ${target} must be an absolute path in the sandbox`
      if (target === homeMountPoint || target === projectMountPoint) return `${target} is taken by the ${target === homeMountPoint ? 'home' : 'project'}`
    }
    const targets = value.map(({ target }) => target)
    return new Set(targets).size === targets.length ? null : 'two mounts have the same target'
  },
  read(label) {
    const found = extraMounts(label)
    return valueState(found.map(({ source, target, readOnly }) => ({ source, target, readOnly })), found[0]?.option.span ?? null)
  },
  write(source, label, value) {
    const found = extraMounts(label)
    const removed = found.filter((one) => !value.some((wanted) => sameMount(wanted, one))).map(({ option }) => option)
    const changed = found.map((one) => {
      const wanted = value.find((candidate) => sameMount(candidate, one))
      return wanted && wanted.readOnly !== one.readOnly ? setOptionValue(source, one.option, one.withAccess(wanted.readOnly)) : []
    })
    const isNew = (wanted: ExtraMount) => !found.some((one) => sameMount(one, wanted))
    return joinEdits([...changed, changeOptions(source, label, removed, value.filter(isNew).map(writeMount))])
  },
})

const homeSource = /^(\$HOME|\$\{HOME\}|~)\/\.local\/share\/paddock\/homes\/([a-z0-9][a-z0-9._-]*)\/?$/
export const sharedHome = 'default'

/** The name of the home that is mounted; `default` is the one that profiles share. null where none is. */
export const home = labelField<string | null>({
  absent: null,
  check: (value) => (value === null || /^[a-z0-9][a-z0-9._-]{0,62}$/.test(value) ? null : 'the name of a home has small letters, digits, dots and dashes'),
  read(label) {
    const mount = bindMounts(label).find(isHome)
    const other = label.options.find((option) => mountFieldOf(option) === 'home')
    if (!mount) return other ? unsupported(`${other.flag} ${other.value} is no home of Paddock’s`, other.span) : valueState<string | null>(null)
    const name = homeSource.exec(mount.source)?.[2]
    return name === undefined ? unsupported(`${mount.source} is no home of Paddock’s`, mount.option.span) : valueState<string | null>(name, mount.option.span)
  },
  write(source, label, value) {
    const mount = bindMounts(label).find(isHome)
    if (!mount) return value === null ? [] : addOptions(source, label, [{ flag: '--volume', value: `$HOME/.local/share/paddock/homes/${value}:${homeMountPoint}:z` }])
    if (value === null) return removeOptions(source, label, [mount.option])
    const name = homeSource.exec(mount.source)?.[2]
    if (name === undefined) return { why: `${mount.source} is no home of Paddock’s` }
    return setOptionValue(source, mount.option, mount.option.value!.replace(`/homes/${name}`, () => `/homes/${value}`))
  },
})
