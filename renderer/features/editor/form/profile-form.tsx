import { memo, useMemo } from 'react'
import { agents } from '../../../../shared/domain/agents.ts'
import { parseAllowance } from '../../../../shared/domain/egress-allowances.ts'
import { egressLists, listSign } from '../../../../shared/domain/egress-lists.ts'
import { egressModes } from '../../../../shared/domain/egress.ts'
import { sharedHome } from '../../../../shared/domain/profile-form/mount-fields.ts'
import type { ProfileForm as Form } from '../../../../shared/domain/profile-form/profile-form.ts'
import { FormProvider, type FormHandle, useStableValues, type Values } from './form-context.tsx'
import { LabelText } from './label-text.tsx'
import { ListField } from './list-field.tsx'
import { EnvironmentField, MountField } from './row-fields.tsx'
import { BaseField, CountField, FolderField, MemoryField, SelectField, TmpField } from './text-fields.tsx'

const itself = (item: string) => item
const agentNames = agents.map(({ id }) => id)

/** What a Containerfile says, field by field. It shows the text and changes the text; it has nothing of its own. */
export const ProfileForm = memo(({ name, form, handle }: { name: string; form: Form; handle: FormHandle }) => {
  const values = useStableValues(form)
  const { obstacle } = form.source
  const { kind, why } = form.label
  return (
    <FormProvider value={handle}>
      <form className="profile-form" aria-label={`Profile ${name}`} onSubmit={(event) => event.preventDefault()}>
        {obstacle !== null && <p className="form-say warn">The form cannot change this file: {obstacle}.</p>}
        <fieldset className="form-parts" disabled={obstacle !== null}>
          <ImagePart values={values} />
          {kind === 'none' && <p className="form-say quiet">It has no run label, so it is not launched itself; limits and access belong to the profiles that are built on it.</p>}
          {kind === 'opaque' && <p className="form-say quiet">The run label can only be changed in the text: {why}.</p>}
          {(kind === 'own' || kind === 'inherited') && <LabelPart name={name} values={values} isInherited={kind === 'inherited'} />}
        </fieldset>
        <LabelText label={form.label} />
      </form>
    </FormProvider>
  )
})

const ImagePart = memo(({ values }: { values: Values }) => (
  <section className="form-part" aria-label="Image">
    <h2>Image</h2>
    <BaseField label="Base" state={values.base} />
    <ListField name="apt" label="Packages" state={values.apt} placeholder="ripgrep" nameOf={itself} />
    <ListField name="npm" label="npm, global" state={values.npm} placeholder="typescript@5.9.3" nameOf={itself} />
    <ListField name="pip" label="pip" state={values.pip} placeholder="httpie==3.2.4" nameOf={itself} />
    <ListField name="uvTools" label="uv tools" state={values.uvTools} placeholder="ruff==0.14.6" nameOf={itself} />
    <ListField name="agents" label="Agents" state={values.agents} placeholder="codex@0.171.0" hint="Those of the base are there as well." suggestions={agentNames} nameOf={itself} />
    <EnvironmentField state={values.environment} />
  </section>
), haveSameValues(['base', 'apt', 'npm', 'pip', 'uvTools', 'agents', 'environment']))

const LabelPart = memo(({ name, values, isInherited }: { name: string; values: Values; isInherited: boolean }) => {
  const home = values.home.kind === 'value' ? values.home.value : null
  const homes = useMemo(() => {
    const other = home !== null && home !== sharedHome && home !== name ? [[home, `Home “${home}”`] as const] : []
    return [[sharedHome, 'Shared by all profiles'] as const, [name, 'Its own'] as const, ...other, [null, 'None'] as const]
  }, [home, name])
  return (
    <>
      <section className="form-part short-fields" aria-label="Limits">
        <h2>Limits</h2>
        {isInherited && <p className="form-say quiet">Limits and access come from the base. The first change writes a run label of its own.</p>}
        <MemoryField label="RAM" state={values.ramMib} placeholder="4 GiB" />
        <CountField name="cpus" label="vCPUs" state={values.cpus} placeholder="4" />
        <TmpField label="/tmp" state={values.tmpSize} placeholder="2 GiB" />
        <CountField name="pids" label="Processes" state={values.pids} placeholder="1024" />
      </section>
      <section className="form-part" aria-label="Access">
        <h2>Access</h2>
        <SelectField name="egress" label="Egress" state={values.egress} hint="Open reaches the internet, but nothing of this machine and its networks. Allowlist reaches what is allowed below, over HTTP and HTTPS, and starts from agents and package managers." choices={egressChoices} />
        <ListField name="allow" label="Allowed" state={values.allow} placeholder="@npm or example.org" hint="For allowlist: hosts, *.hosts and lists. For open: addresses of your networks, with a port." suggestions={listNames} nameOf={itself} renderItem={renderAllowed} />
        <MountField state={values.mounts} />
        <ListField name="ports" label="Ports" state={values.ports} placeholder="3000" hint="Open on this machine only, unless an address is given." nameOf={itself} />
        <SelectField name="home" label="Home" state={values.home} choices={homes} />
        <SelectField name="desktop" label="Desktop" state={values.desktop} hint="Acted on where the image has what a desktop needs: build on localhost/paddock:desktop." choices={desktopChoices} />
        <FolderField label="Starts in" state={values.workdir} placeholder="/home/ai/sandbox" />
      </section>
      <section className="form-part" aria-label="Other flags">
        <h2>Other flags</h2>
        <ListField name="flags" label="Flags" state={values.flags} placeholder="--shm-size 1g" nameOf={itself} renderItem={renderFlag} />
      </section>
    </>
  )
}, haveSameValues(['ramMib', 'cpus', 'tmpSize', 'pids', 'egress', 'allow', 'mounts', 'ports', 'home', 'desktop', 'workdir', 'flags']))

const listNames = egressLists.map(({ name, description }) => ({ word: `${listSign}${name}`, meaning: description }))
const egressChoices = [[null, 'Not set'] as const, ...egressModes.map((mode) => [mode, { open: 'Open', allowlist: 'Allowlist', deny: 'Deny' }[mode]] as const)]
const desktopChoices = [[null, 'Not set'], [true, 'On'], [false, 'Off']] as const
const renderFlag = (flag: string) => <code className="item-text">{flag}</code>

/** A list with what it stands for. */
function renderAllowed(word: string) {
  const allowance = parseAllowance(word)
  const list = typeof allowance === 'object' && allowance.kind === 'list' ? allowance.list : null
  return (
    <span className="item-text" title={list?.rules.join(', ')}>
      <code>{word}</code> {list && <span className="quiet">{list.description}</span>}
    </span>
  )
}

/** Whether a part of the form has to be drawn anew. */
function haveSameValues(names: readonly (keyof Values)[]) {
  return (before: { values: Values }, after: { values: Values }) => {
    const { values: old, ...oldRest } = before
    const { values: now, ...nowRest } = after
    return names.every((name) => old[name] === now[name]) && JSON.stringify(oldRest) === JSON.stringify(nowRest)
  }
}
