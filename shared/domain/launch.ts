import { caMountPoint, caVariables } from './ca-variables.ts'
import type { Caps } from './caps.ts'
import { desktopVariable, wantsDesktop } from './desktop.ts'
import { type EgressMode, withEgress } from './egress.ts'
import { channelMountPoint } from './guest.ts'
import { bindMount } from './run-label.ts'
import { isProxyNetwork, isProxyVariable } from './proxy-environment.ts'
import { isNewStart, type RunArguments, type RunOption } from './run-flags.ts'
import { bootIdMountPoint, type Isolation } from './sandbox.ts'

/** What Paddock adds to a run label for one launch. */
export interface LaunchChoices {
  launchId: string
  profile: string
  project: string
  isolation: Isolation
  egress: EgressMode
  /** Whether the sandbox's own process gets a terminal. */
  tty: boolean
  /** Replaces the label's and the image's command; empty leaves them. */
  command: readonly string[]
  caps: Caps
  /** Host path into which Podman writes the container's id. */
  cidFile: string
  /** Host path of the empty file that the entrypoint fills with the boot id it sees. */
  bootIdFile: string
  /** Host path of the folder with what the guest's sshd runs on. */
  channelFolder: string
  /** Use TSI because the installed passt does not work with this krun. */
  avoidPasst: boolean
  /** The sandbox's port of the proxy on this machine's loopback; null without a proxy. */
  proxyPort: number | null
  /** Host path of a bundle of authorities that programs in the sandbox have to trust; null for the image's own. */
  caFile: string | null
  /** Whether the host can hold a container's memory and CPU limits; asking Podman otherwise only earns warnings. */
  canLimit: { memory: boolean; cpus: boolean }
}

/** Names of the labels by which Paddock knows its sandboxes again. */
export const sandboxLabels = { launch: 'dev.paddock.launch', profile: 'dev.paddock.profile', project: 'dev.paddock.project' } as const

/**
 * Turns an expanded run label into the arguments of one launch. Everything of the label is kept but what the person
 * chose otherwise: the runtime, the network, the terminal and the command; and but `--detach`, since a launch stays with its sandbox to
 * measure what separates it, and a new start by Podman, whose network would have no rules. Pure.
 */
export function planLaunch(label: RunArguments, choices: LaunchChoices): RunArguments {
  const kept = label.options.filter((option) => option.flag !== '--detach' && !isNewStart(option) && (choices.tty || option.flag !== '--tty'))
  return {
    options: [...withEgress(withIsolation(kept, choices), choices.egress, choices.proxyPort), ...ownOptions(choices), ...(wantsDesktop(label.options) ? [{ flag: '--env', value: startDesktop }] : [])],
    image: label.image,
    command: choices.command.length > 0 ? [...choices.command] : label.command,
  }
}

const startDesktop = `${desktopVariable}=1`

function withIsolation(options: readonly RunOption[], { isolation, avoidPasst, proxyPort, caps, canLimit }: LaunchChoices): RunOption[] {
  if (isolation === 'microvm') {
    const withRuntime = withOnly(options, '--runtime', 'krun')
    // TSI has the guest's loopback be the namespace's, where the way to the proxy begins.
    return avoidPasst || proxyPort !== null ? withRuntime.map((option) => (isUsePasst(option) ? { ...option, value: 'krun.use_passt=0' } : option)) : withRuntime
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

/**
 * The words of a launch without what Paddock added for that launch alone, so that they can be run again. Pure.
 * @param words of a command that `planLaunch` made, without the program; others are left as they are
 */
export function withoutOwnOptions(words: readonly string[]): string[] {
  const isOwn = (flag: string, value = '') =>
    flag === '--cidfile' ||
    flag === '--hooks-dir' ||
    (flag === '--network' && isProxyNetwork(value)) ||
    (flag === '--env' && (isProxyVariable(value) || value.endsWith(`=${caMountPoint}`))) ||
    (flag === '--label' && Object.values(sandboxLabels).some((name) => value.startsWith(`${name}=`))) ||
    ((flag === '--volume' || flag === '--mount') && ownMountPoints.some((point) => value.includes(point))) ||
    (flag === '--env' && value === startDesktop) ||
    flag === '--sig-proxy' ||
    flag === '--detach-keys'
  const kept: string[] = []
  // Without a proxy, which is this launch's, a sandbox with an allowlist has no network.
  const withNetwork = (flag: string, value = '') => (flag === '--network' && isProxyNetwork(value) ? ['--network=none'] : [])
  for (let at = 0; at < words.length; at++) {
    const [flag, joined] = splitOnce(words[at]!)
    if (!isOwn(flag, joined ?? words[at + 1])) kept.push(words[at]!)
    else {
      kept.push(...withNetwork(flag, joined ?? words[at + 1]))
      if (joined === undefined) at++
    }
  }
  return kept
}

const ownMountPoints = [bootIdMountPoint, channelMountPoint, caMountPoint]

function splitOnce(word: string): [string, string | undefined] {
  const at = word.indexOf('=')
  return word.startsWith('--') && at > 0 ? [word.slice(0, at), word.slice(at + 1)] : [word, undefined]
}

function ownOptions({ launchId, profile, project, cidFile, bootIdFile, channelFolder, caFile }: LaunchChoices): RunOption[] {
  const labels = { [sandboxLabels.launch]: launchId, [sandboxLabels.profile]: profile, [sandboxLabels.project]: project }
  return [
    ...Object.entries(labels).map(([name, value]) => ({ flag: '--label', value: `${name}=${value}` })),
    { flag: '--cidfile', value: cidFile },
    bindMount([bootIdFile, bootIdMountPoint, 'z']),
    bindMount([channelFolder, channelMountPoint, 'ro,z']),
    ...(caFile === null ? [] : [bindMount([caFile, caMountPoint, 'ro,z']), ...caVariables.map((name) => ({ flag: '--env', value: `${name}=${caMountPoint}` }))]),
  ]
}
