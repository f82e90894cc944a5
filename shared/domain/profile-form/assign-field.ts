import { egressModes } from '../egress.ts'
import { changeField } from './change-field.ts'
import { sharedHome } from './mount-fields.ts'
import { type FieldName, type FieldValue, type FormContext, parseProfile, type SetResult } from './profile-form.ts'

/** How a person names fields on a command line. */
const keys: Record<string, FieldName> = {
  base: 'base', apt: 'apt', npm: 'npm', pip: 'pip', uv: 'uvTools', agents: 'agents', env: 'environment', ram: 'ramMib', cpus: 'cpus', tmp: 'tmpSize', pids: 'pids',
  egress: 'egress', allow: 'allow', mounts: 'mounts', ports: 'ports', home: 'home', desktop: 'desktop', workdir: 'workdir', flags: 'flags',
}
export const fieldKeys = Object.keys(keys)
export const keyOf = (name: FieldName) => fieldKeys.find((key) => keys[key] === name)!

const pattern = /^([a-z]+)(\+=|-=|=)([\s\S]*)$/

/**
 * Applies `KEY=VALUE`, `KEY+=VALUE` or `KEY-=VALUE` to a Containerfile. An empty value takes away what is there. Pure.
 * @param profile its name, for `home=own`
 */
export function assignField(text: string, assignment: string, profile: string, context: FormContext = {}): SetResult {
  const match = pattern.exec(assignment)
  const name = match && keys[match[1]!]
  if (!match || !name) return { ok: false, why: `write KEY=VALUE with one of: ${fieldKeys.join(', ')}.` }
  const [, , operator, written] = match
  const state = parseProfile(text, context).values[name]
  if (state.kind === 'unsupported') return { ok: false, why: `${state.why}.` }
  const isList = Array.isArray(state.value)
  if (!isList && operator !== '=') return { ok: false, why: `${match[1]} has one value: write ${match[1]}=VALUE.` }
  const value = isList ? changeList(name, state.value as unknown[], operator!, written!) : readScalar(name, written!, profile)
  return value instanceof Error ? { ok: false, why: value.message } : changeField(text, name, value as never, context)
}

/**
 * A list with what a person typed added to it, commas or blanks between items; what is another version, value or access of
 * an item takes its place. Pure. @throws nothing: what is no item is an error as the value
 */
export function addItems<N extends FieldName>(name: N, present: readonly unknown[], typed: string): FieldValue<N> | Error {
  const hasPlainItems = /^(apt|npm|uvTools|agents|ports|allow)$/.test(name)
  return changeList(name, present, '+=', hasPlainItems ? typed.trim().replace(/[\s,]+/g, ',') : typed.trim()) as FieldValue<N> | Error
}

function changeList(name: FieldName, present: readonly unknown[], operator: string, written: string): unknown[] | Error {
  const items = splitList(name, written).map((item) => readItem(name, item))
  const wrong = items.find((item) => item instanceof Error)
  if (wrong) return wrong
  const isSame = (a: unknown, b: unknown) => identity(name, a) === identity(name, b)
  if (operator === '=') return items
  const others = present.filter((one) => !items.some((item) => isSame(item, one)))
  return operator === '-=' ? others : [...present.map((one) => items.find((item) => isSame(item, one)) ?? one), ...items.filter((item) => !present.some((one) => isSame(item, one)))]
}

/** Commas part items, but where a value may hold one itself. */
function splitList(name: FieldName, written: string): string[] {
  if (written === '') return []
  return name === 'environment' || name === 'mounts' || name === 'flags' || name === 'pip' ? [written] : written.split(',').map((item) => item.trim()).filter(Boolean)
}

/** What makes two items the same one: with another version, value or access it is still that one. */
function identity(name: FieldName, item: unknown): string {
  if (typeof item === 'string') return /^(apt|npm|pip|uvTools|agents)$/.test(name) ? (/^(@[^/]+\/)?[^@=<>~!/[\s]+/.exec(item)?.[0] ?? item) : item
  const { name: variable, target } = item as { name?: string; target?: string }
  return variable ?? target ?? ''
}

function readItem(name: FieldName, item: string): unknown {
  if (name === 'environment') {
    const at = item.indexOf('=')
    return at < 0 ? { name: item, value: '' } : { name: item.slice(0, at), value: item.slice(at + 1) }
  }
  if (name === 'mounts') {
    const match = /^(.*?):(\/[^:]*)(?::(ro|rw))?$/.exec(item)
    if (!match) return /^\//.test(item) ? { source: '', target: item, readOnly: true } : new Error(`"${item}" is no mount; write SOURCE:TARGET, with :rw behind it where the sandbox may write.`)
    return { source: match[1]!.replace(/^~(?=\/|$)/, '$HOME'), target: match[2]!, readOnly: match[3] !== 'rw' }
  }
  // A port is opened for this machine only, unless an address is given.
  if (name === 'ports') return /^\d+(\/\w+)?$/.test(item) ? `127.0.0.1:${item.split('/')[0]}:${item}` : /^\d+:\d+(\/\w+)?$/.test(item) ? `127.0.0.1:${item}` : item
  return item
}

const units: Record<string, number> = { '': 1, m: 1, g: 1024, t: 1024 ** 2 }

function readScalar(name: FieldName, written: string, profile: string): unknown {
  if (written === '') return name === 'base' ? '' : null
  if (name === 'ramMib') {
    const match = /^(\d+(?:\.\d+)?)\s*([mgt]?)(i?b)?$/i.exec(written)
    return match ? Number(match[1]) * units[match[2]!.toLowerCase()]! : new Error(`"${written}" is no amount of memory; write MiB, as in 4096, or 4g.`)
  }
  if (name === 'cpus' || name === 'pids') return /^\d+$/.test(written) ? Number(written) : new Error(`"${written}" is no whole number.`)
  if (name === 'tmpSize') return written.replace(/i?b$/i, '')
  if (name === 'egress') return (egressModes as readonly string[]).includes(written) ? written : new Error(`egress must be one of: ${egressModes.join(', ')}.`)
  if (name === 'desktop') return written === 'on' || written === 'off' ? written === 'on' : new Error('desktop must be on or off.')
  if (name === 'home') return written === 'shared' ? sharedHome : written === 'own' ? profile : written
  return written
}
