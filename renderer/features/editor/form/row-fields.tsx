import { FolderOpen } from 'lucide-react'
import { memo } from 'react'
import type { EnvironmentVariable } from '../../../../shared/domain/profile-form/environment-source.ts'
import type { ExtraMount } from '../../../../shared/domain/profile-form/mount-fields.ts'
import { useApi, useActions } from '../../../store/context.tsx'
import { IconButton } from '../../../ui/button.tsx'
import type { StateOf } from './form-context.tsx'
import { ListField } from './list-field.tsx'
import { useTyped } from './use-typed.ts'

type Replace<T> = (item: T) => string | null

/** Variables of the image: a name, and a box for what it stands for. */
export const EnvironmentField = memo(({ state }: { state: StateOf<'environment'> }) => (
  <ListField name="environment" label="Environment" state={state} placeholder="NAME=value" nameOf={nameOfVariable} renderItem={renderVariable} />
))

const nameOfVariable = ({ name }: EnvironmentVariable) => name
const renderVariable = (item: EnvironmentVariable, replace: Replace<EnvironmentVariable>) => <Variable item={item} replace={replace} />

function Variable({ item, replace }: { item: EnvironmentVariable; replace: Replace<EnvironmentVariable> }) {
  const typed = useTyped(item.value, (text) => text, (value) => replace({ ...item, value }))
  return (
    <>
      <code className="item-name ellipsis" title={item.name}>
        {item.name}
      </code>
      <input className="input mono" aria-label={item.name} spellCheck={false} value={typed.text} onChange={({ target }) => typed.onChange(target.value)} onBlur={typed.onBlur} />
    </>
  )
}

/** Folders and drives of this machine in the sandbox. */
export const MountField = memo(({ state }: { state: StateOf<'mounts'> }) => {
  const api = useApi()
  const { report } = useActions()
  const pick = async (add: (mount: ExtraMount) => void) => {
    const reply = await api.call('mount.pick', {})
    if (!reply.ok) return report('The folder could not be chosen.', reply.error)
    if (reply.value !== null) add({ source: reply.value, target: `/mnt/${reply.value.split('/').filter(Boolean).at(-1) ?? 'host'}`, readOnly: true })
  }
  return (
    <ListField
      name="mounts"
      label="Mounts"
      state={state}
      placeholder="~/data:/mnt/data"
      hint="Read-only, unless you say otherwise."
      nameOf={nameOfMount}
      renderItem={renderMount}
      extra={(add) => <IconButton icon={FolderOpen} label="Choose a folder or a drive" onClick={() => void pick(add)} />}
    />
  )
})

const nameOfMount = ({ source, target }: ExtraMount) => `${source} at ${target}`
const renderMount = (item: ExtraMount, replace: Replace<ExtraMount>) => <Mount item={item} replace={replace} />

function Mount({ item, replace }: { item: ExtraMount; replace: Replace<ExtraMount> }) {
  const { source, target, readOnly } = item
  return (
    <>
      <span className="item-text mount-path" title={`${source} → ${target}`}>
        <code className="ellipsis">{source}</code>
        <code className="ellipsis quiet">{target}</code>
      </span>
      <select className="input mount-access" aria-label={`Access to ${target}`} value={readOnly ? 'ro' : 'rw'} onChange={({ target: { value } }) => replace({ ...item, readOnly: value === 'ro' })}>
        <option value="ro">Read-only</option>
        <option value="rw">Read and write</option>
      </select>
    </>
  )
}
