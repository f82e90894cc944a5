import type { Caps } from './caps.ts'
import { bindMount } from './run-label.ts'
import type { RunArguments, RunOption } from './run-flags.ts'
import { bootIdMountPoint, type Isolation } from './sandbox.ts'

/** What Paddock adds to a run label for one launch. */
export interface LaunchChoices {
  launchId: string
  profile: string
  project: string
  isolation: Isolation
  /** Whether the sandbox's own process gets a terminal. */
  tty: boolean
  /** Replaces the label's and the image's command; empty leaves them. */
  command: readonly string[]
  caps: Caps
  /** Host path into which Podman writes the container's id. */
  cidFile: string
  /** Host path of the empty file that the entrypoint fills with the boot id it sees. */
  bootIdFile: string
  /** Use TSI because the installed passt does not work with this krun. */
  avoidPasst: boolean
  /** Whether the host can hold a container's memory and CPU limits; asking Podman otherwise only earns warnings. */
  canLimit: { memory: boolean; cpus: boolean }
}

/** Names of the labels by which Paddock knows its sandboxes again. */
export const sandboxLabels = { launch: 'dev.paddock.launch', profile: 'dev.paddock.profile', project: 'dev.paddock.project' } as const

/**
 * Turns an expanded run label into the arguments of one launch. Everything of the label is kept but what the person
 * chose otherwise: the runtime, the terminal and the command; and but `--detach`, since a launch stays with its sandbox to
 * measure what separates it. Pure.
 */
export function planLaunch(label: RunArguments, choices: LaunchChoices): RunArguments {
  const kept = label.options.filter(({ flag }) => flag !== '--detach' && (choices.tty || flag !== '--tty'))
  return {
    options: [...withIsolation(kept, choices), ...ownOptions(choices)],
    image: label.image,
    command: choices.command.length > 0 ? [...choices.command] : label.command,
  }
}

function withIsolation(options: readonly RunOption[], { isolation, avoidPasst, caps, canLimit }: LaunchChoices): RunOption[] {
  if (isolation === 'microvm') {
    const withRuntime = withOnly(options, '--runtime', 'krun')
    return avoidPasst ? withRuntime.map((option) => (isUsePasst(option) ? { ...option, value: 'krun.use_passt=0' } : option)) : withRuntime
  }
  const isKrun = options.some(({ flag, value }) => flag === '--runtime' && value === 'krun')
  const withRuntime = isKrun ? withOnly(options, '--runtime', 'crun') : [...options]
  // krun takes its limits from annotations; a container needs them as limits of its control group.
  const isSet = (flag: string) => options.some((option) => option.flag === flag)
  if (caps.ramMib !== null && canLimit.memory && !isSet('--memory')) withRuntime.push({ flag: '--memory', value: `${caps.ramMib}m` })
  if (caps.cpus !== null && canLimit.cpus && !isSet('--cpus')) withRuntime.push({ flag: '--cpus', value: String(caps.cpus) })
  return withRuntime
}

const isUsePasst = ({ flag, value }: RunOption) => flag === '--annotation' && value?.startsWith('krun.use_passt=') === true

function withOnly(options: readonly RunOption[], flag: string, value: string): RunOption[] {
  const others = options.filter((option) => option.flag !== flag)
  const at = options.findIndex((option) => option.flag === flag)
  return [...others.slice(0, Math.max(at, 0)), { flag, value }, ...others.slice(Math.max(at, 0))]
}

function ownOptions({ launchId, profile, project, cidFile, bootIdFile }: LaunchChoices): RunOption[] {
  const labels = { [sandboxLabels.launch]: launchId, [sandboxLabels.profile]: profile, [sandboxLabels.project]: project }
  return [
    ...Object.entries(labels).map(([name, value]) => ({ flag: '--label', value: `${name}=${value}` })),
    { flag: '--cidfile', value: cidFile },
    bindMount([bootIdFile, bootIdMountPoint, 'z']),
  ]
}
