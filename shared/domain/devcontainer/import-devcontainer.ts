import type { ExtraMount } from '../profile-form/mount-fields.ts'
import { adoptContainerfile } from '../profile-form/adopt-containerfile.ts'
import { type FieldName, type FieldValue, parseProfile, setField } from '../profile-form/profile-form.ts'
import { mapFeature } from './map-features.ts'
import type { Devcontainer, DevcontainerCommand } from './read-devcontainer.ts'
import { quoteWord } from '../quote-word.ts'

/** A dev container as a profile. */
export interface ImportedDevcontainer {
  text: string
  /** Files that the Containerfile copies, beside those that its own text names. */
  files: Record<string, string>
  needsEntrypoint: boolean
  /** What was changed on the way, and what was not taken over, a sentence each. */
  notes: string[]
}

/** Keys that are read below, or mean nothing to a sandbox. */
const handled = new Set(['$schema', 'name', 'image', 'build', 'dockerFile', 'context', 'features', 'mounts', 'containerEnv', 'remoteEnv', 'forwardPorts', 'postCreateCommand', 'hostRequirements'])

/** Why some keys are not taken over. */
const reasons: Record<string, string> = {
  initializeCommand: 'it would run on your machine', remoteUser: 'the agent is always ai', containerUser: 'the agent is always ai',
  runArgs: 'put the flags that you want into the run label', privileged: 'it would switch the sandbox’s protections off', capAdd: 'a sandbox has no capabilities',
  securityOpt: 'it would loosen the sandbox', workspaceMount: 'the project is always at /home/ai/sandbox', workspaceFolder: 'the project is always at /home/ai/sandbox',
  customizations: 'a sandbox has no editor of its own', dockerComposeFile: 'a sandbox is one container', appPort: 'use forwardPorts',
}

/**
 * Makes a profile of a dev container.
 * @param dockerfile the text that `build.dockerfile` names; null where there is none
 * @param inheritedLabel the run label of the default profile, for a dev container that names no image
 */
export function importDevcontainer(config: Devcontainer, dockerfile: string | null, inheritedLabel: string | null): ImportedDevcontainer {
  const notes = Object.keys(config).filter((key) => !handled.has(key)).map((key) => `${key} was not taken over${reasons[key] === undefined ? '' : `: ${reasons[key]}`}.`)
  if (config.build?.target !== undefined) notes.push('build.target was not taken over: the last stage becomes the image.')
  const adopted = adoptContainerfile(dockerfile ?? `FROM ${config.image ?? 'localhost/paddock:latest'}\n`)
  notes.push(...adopted.notes)
  const form = new FormWriter(withArgs(adopted.text, config.build?.args ?? {}, notes), inheritedLabel, notes)
  addFeatures(form, config.features ?? {}, notes)
  form.add('environment', Object.entries({ ...config.containerEnv, ...config.remoteEnv }).flatMap(([name, value]) => environmentOf(name, value, notes)), (one) => one.name)
  form.add('mounts', (config.mounts ?? []).flatMap((mount) => mountOf(mount, notes)), ({ target }) => target)
  form.add('ports', (config.forwardPorts ?? []).flatMap((port) => portOf(port, notes)), (port) => port)
  if (config.hostRequirements?.cpus !== undefined) form.set('cpus', config.hostRequirements.cpus)
  const ram = memoryOf(config.hostRequirements?.memory)
  if (ram !== null) form.set('ramMib', ram)
  const script = config.postCreateCommand === undefined ? null : scriptOf(config.postCreateCommand)
  if (script !== null) notes.push('postCreateCommand became the command post-create: run it in the sandbox, in the project.')
  const text = script === null ? form.text : withScript(form.text)
  return { text, files: script === null ? {} : { 'post-create': script }, needsEntrypoint: adopted.needsEntrypoint, notes }
}

/** Sets fields one after the other; what is refused becomes a note. */
class FormWriter {
  constructor(
    public text: string,
    private readonly inheritedLabel: string | null,
    private readonly notes: string[],
  ) {}

  set<N extends FieldName>(name: N, value: FieldValue<N>): void {
    const result = setField(this.text, name, value, { inheritedLabel: this.inheritedLabel })
    if (result.ok) this.text = result.text
    else this.notes.push(`${name} was not taken over: ${result.why}`)
  }

  /** Adds to a list, one at a time: one that is refused keeps no other out. */
  add<T>(name: FieldName, added: readonly T[], key: (item: T) => string): void {
    for (const item of added) {
      const state = parseProfile(this.text, { inheritedLabel: this.inheritedLabel }).values[name]
      const present = state.kind === 'value' ? (state.value as unknown as T[]) : []
      this.set(name, [...present.filter((one) => key(one) !== key(item)), item] as never)
    }
  }
}

function addFeatures(form: FormWriter, features: Record<string, unknown>, notes: string[]): void {
  for (const [id, options] of Object.entries(features)) {
    const mapped = mapFeature(id, options)
    if (typeof mapped === 'string') {
      notes.push(`Feature ${id} was not taken over: ${mapped}.`)
      continue
    }
    form.add('apt', mapped.apt, (name) => name)
    form.add('agents', mapped.agents, (name) => name)
    if (mapped.note !== null) notes.push(`Feature ${id}: ${mapped.note}.`)
  }
}

function environmentOf(name: string, value: string | null, notes: string[]): { name: string; value: string }[] {
  const text = value?.replace(/\$\{containerEnv:(\w+)\}/g, '$$$1').replaceAll('${containerWorkspaceFolder}', '/home/ai/sandbox')
  if (text !== undefined && !/\$\{(localEnv|localWorkspace|devcontainerId|containerWorkspace)/.test(text)) return [{ name, value: text }]
  notes.push(`${name} was not taken over: its value comes from your machine.`)
  return []
}

function mountOf(mount: NonNullable<Devcontainer['mounts']>[number], notes: string[]): ExtraMount[] {
  const options = typeof mount === 'string' ? Object.fromEntries(mount.split(',').map((part) => [part.split('=')[0]!, part.split('=').slice(1).join('=')])) : (mount as Record<string, unknown>)
  const text = (...names: string[]) => names.map((name) => options[name]).find((value): value is string => typeof value === 'string' && value !== '')
  const [type, from, target] = [text('type') ?? 'volume', text('source', 'src'), text('target', 'destination', 'dst')]
  const source = from?.replace(/\$\{localEnv:HOME\}(\$\{localEnv:USERPROFILE\})?/g, '$HOME').replaceAll('${localWorkspaceFolder}', '$PWD')
  if (type !== 'bind' || source === undefined || target === undefined || source.includes('${')) {
    notes.push(`The mount at ${target ?? '?'} was not taken over: ${type === 'bind' ? 'its source depends on your editor' : `a ${type} is no folder of yours; the home lasts anyway`}.`)
    return []
  }
  notes.push(`${source} is mounted read-only at ${target}.`)
  return [{ source, target: target.replaceAll('${containerWorkspaceFolder}', '/home/ai/sandbox'), readOnly: true }]
}

function portOf(port: number | string, notes: string[]): string[] {
  const number = typeof port === 'number' ? port : /^(?:localhost:|127\.0\.0\.1:)?(\d+)$/.exec(port)?.[1]
  if (number !== undefined) return [`127.0.0.1:${number}:${number}`]
  notes.push(`Port ${port} was not taken over: it is another container’s.`)
  return []
}

/** `8gb` in MiB. */
function memoryOf(text: string | undefined): number | null {
  const match = /^(\d+)\s*(tb|gb|mb)$/i.exec(text ?? '')
  return match ? Number(match[1]) * { tb: 1024 ** 2, gb: 1024, mb: 1 }[match[2]!.toLowerCase() as 'tb' | 'gb' | 'mb'] : null
}

function scriptOf(command: DevcontainerCommand): string {
  const lines = typeof command === 'string' || Array.isArray(command) ? [lineOf(command)] : Object.values(command).map(lineOf)
  return `#!/bin/sh\n# postCreateCommand of the dev container.\nset -e\n${lines.join('\n')}\n`
}

const lineOf = (command: string | string[]) => (typeof command === 'string' ? command : command.map(quoteWord).join(' '))

/** Behind the last step that is there, before what describes the image. */
function withScript(text: string): string {
  const lines = text.split('\n')
  const at = lines.findLastIndex((line) => /^(FROM|COPY|RUN)\b/i.test(line) && !line.endsWith('\\'))
  return [...lines.slice(0, at + 1), 'COPY --chmod=0755 post-create /usr/local/bin/post-create', ...lines.slice(at + 1)].join('\n')
}

/** Build arguments become the defaults of the ARGs that they are for. */
function withArgs(text: string, args: Record<string, string>, notes: string[]): string {
  return Object.entries(args).reduce((changed, [name, value]) => {
    const pattern = new RegExp(`^(ARG[ \\t]+${name.replace(/[^\w]/g, '\\$&')})(=\\S*)?[ \\t]*$`, 'im')
    if (pattern.test(changed) && /^[\w.:/@+-]*$/.test(value)) return changed.replace(pattern, (_all, start: string) => `${start}=${value}`)
    notes.push(`The build argument ${name} was not taken over: the Containerfile has no ARG for it, or its value is not a plain word.`)
    return changed
  }, text)
}
