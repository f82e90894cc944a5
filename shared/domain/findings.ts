import { finding, type Finding, type Rule } from './finding.ts'
import { egress, openedPlaces } from './findings-of-egress.ts'
import { engineAccess, environment, hostFiles, networkAccess, sharedResources } from './findings-of-host.ts'
import { judgeMount, mountSources } from './mount-sources.ts'
import { isFalse, isNewStart, isSwitchedOn, lastValueOf, type RunArguments, type RunOption, valuesOf } from './run-flags.ts'
import { meantWord } from './run-label.ts'

export { type Finding, findingSchema } from './finding.ts'

const rules: Rule[] = [
  privileged, capabilities, securityOptions, hostNamespaces, hostMounts, devices, engineAccess, hostFiles, environment, sharedResources,
  annotations, runtime, network, egress, openedPlaces, networkAccess, rootFilesystem, temporaryFolder, processLimit, microvmCaps, user, entrypoint, image,
  containerName, newStart,
]

/** Judges a run label, its variables still in place: what power it adds and which controls it lacks. */
export function findingsOf(label: RunArguments): Finding[] {
  const meant = withoutUnknownVariables(label)
  return rules.flatMap((rule) => rule(meant))
}

/** An unknown variable becomes nothing at launch: `ho${X}st` is `host`, and `$X/` the root of the file system. */
function withoutUnknownVariables({ options, image, command }: RunArguments): RunArguments {
  return { options: options.map(({ flag, value }) => ({ flag, value: value === null ? null : meantWord(value) })), image: meantWord(image), command }
}

function privileged({ options }: RunArguments): Finding[] {
  return isSwitchedOn(options, '--privileged')
    ? [finding('high', 'privileged', '--privileged switches off almost every protection of the sandbox.')]
    : []
}

function capabilities({ options }: RunArguments): Finding[] {
  const found = listed(options, '--cap-add').map((name) =>
    finding('high', 'cap-add', `--cap-add ${name} gives the sandbox a power of root.`),
  )
  const dropsAll = listed(options, '--cap-drop').some((name) => name.toLowerCase() === 'all')
  if (!dropsAll) found.push(finding('medium', 'cap-drop', '--cap-drop ALL is missing, so the sandbox keeps Podman’s default capabilities.'))
  return found
}

function listed(options: readonly RunOption[], flag: string): string[] {
  return valuesOf(options, flag).flatMap((value) => value.split(','))
}

function securityOptions({ options }: RunArguments): Finding[] {
  // KEY=VALUE, or Docker's older KEY:VALUE.
  const values = valuesOf(options, '--security-opt').map((value) => (value.includes('=') ? value : value.replace(':', '=')))
  const found = values
    .filter((value) => /^seccomp=|^apparmor=unconfined$|^label=(disable|nested|type:.*)$|^unmask=|^systempaths=unconfined$/.test(value))
    .map((value) => finding('high', 'security-opt', `--security-opt ${value} removes a protection of the kernel.`))
  const noNewPrivileges = values.findLast((value) => /^no-new-privileges(=|$)/.test(value))
  if (noNewPrivileges === undefined || isFalse(noNewPrivileges.slice('no-new-privileges='.length))) {
    found.push(finding('medium', 'no-new-privileges', '--security-opt no-new-privileges is missing, so set-uid programs can gain rights.'))
  }
  return found
}

const namespaceFlags: Record<string, string> = {
  '--network': 'network', '--pid': 'processes', '--ipc': 'shared memory', '--uts': 'host name', '--cgroupns': 'control groups', '--userns': 'users',
}

function hostNamespaces({ options }: RunArguments): Finding[] {
  return Object.entries(namespaceFlags).flatMap(([flag, what]) =>
    valuesOf(options, flag)
      .filter((value) => value === 'host' || value.startsWith('ns:') || value.startsWith('container:'))
      .map((value) => finding('high', `${flag.slice(2)}-shared`, `${flag} ${value} shares ${what} with the host or another container.`)),
  )
}

function hostMounts({ options }: RunArguments): Finding[] {
  return mountSources(options).flatMap((mount) => {
    const judged = judgeMount(mount)
    return judged ? [finding(judged.level, 'mount', `Mounting ${mount.source} gives the sandbox ${judged.what}.`)] : []
  })
}

function devices({ options }: RunArguments): Finding[] {
  return ['--device', '--gpus', '--device-cgroup-rule'].flatMap((flag) =>
    valuesOf(options, flag)
      .filter((device) => !/^\/dev\/kvm(:|$)/.test(device))
      .map((device) => finding('high', 'device', `${flag} ${device} gives the sandbox a device of the host.`)),
  )
}

/** Annotations with which crun or systemd is told to run, write or join something on the host. */
function annotations({ options }: RunArguments): Finding[] {
  return valuesOf(options, '--annotation')
    .filter((annotation) => /^(run\.oci\.|org\.systemd\.|io\.podman\.)/.test(annotation))
    .map((annotation) => finding('high', 'annotation', `--annotation ${annotation} steers the OCI runtime on the host.`))
}

function runtime({ options }: RunArguments): Finding[] {
  const path = valuesOf(options, '--runtime').find((value) => value.includes('/'))
  if (path !== undefined) return [finding('high', 'runtime', `--runtime ${path} runs a program of the label’s choice on the host.`)]
  return lastValueOf(options, '--runtime') === 'krun'
    ? []
    : [finding('medium', 'runtime', '--runtime krun is missing, so the sandbox shares the host’s kernel.')]
}

function network({ options }: RunArguments): Finding[] {
  const mode = lastValueOf(options, '--network')
  if (mode === undefined) return [finding('low', 'network', '--network is not given, so Podman’s default network is used.')]
  return []
}

function rootFilesystem({ options }: RunArguments): Finding[] {
  return isSwitchedOn(options, '--read-only')
    ? []
    : [finding('medium', 'read-only', '--read-only is missing, so the sandbox can change its own system files.')]
}

function temporaryFolder({ options }: RunArguments): Finding[] {
  const tmp = valuesOf(options, '--tmpfs').find((value) => value.split(':')[0] === '/tmp')
  if (tmp === undefined) return [finding('medium', 'tmp', '--tmpfs /tmp is missing, so /tmp has no size limit and can hold programs.')]
  const flags = (tmp.split(':')[1] ?? '').split(',')
  const missing = ['noexec', 'nosuid', 'nodev'].filter((flag) => !flags.includes(flag) || flags.includes(flag.slice('no'.length)))
  if (!flags.some((flag) => flag.startsWith('size='))) missing.push('size=')
  return missing.length === 0 ? [] : [finding('medium', 'tmp', `--tmpfs /tmp lacks ${missing.join(', ')}.`)]
}

function processLimit({ options }: RunArguments): Finding[] {
  const limit = lastValueOf(options, '--pids-limit')
  return limit !== undefined && Number(limit) > 0
    ? []
    : [finding('medium', 'pids-limit', '--pids-limit is missing, so a fork bomb is not stopped early.')]
}

function microvmCaps({ options }: RunArguments): Finding[] {
  if (lastValueOf(options, '--runtime') !== 'krun') return []
  const annotations = valuesOf(options, '--annotation')
  return ['krun.ram_mib', 'krun.cpus', 'krun.use_passt']
    .filter((key) => !annotations.some((annotation) => annotation.startsWith(`${key}=`) && annotation !== `${key}=`))
    .map((key) => finding('medium', 'krun-annotation', `--annotation ${key}=… is missing, so krun’s own default applies.`))
}

function user({ options }: RunArguments): Finding[] {
  const name = lastValueOf(options, '--user')
  if (name === undefined) return [finding('medium', 'user', '--user ai is missing, so the image decides who runs.')]
  return /^(root|0+)(:|$)/.test(name) ? [finding('high', 'user', `--user ${name} runs the sandbox as root.`)] : []
}

function entrypoint({ options }: RunArguments): Finding[] {
  return valuesOf(options, '--entrypoint').length === 0
    ? []
    : [finding('medium', 'entrypoint', '--entrypoint replaces the program that hardens a microVM from the inside.')]
}

function image({ image: reference }: RunArguments): Finding[] {
  return reference === '$IMAGE'
    ? []
    : [finding('medium', 'image', `The label runs ${reference || 'no image'}, not the image that the profile builds.`)]
}

function containerName({ options }: RunArguments): Finding[] {
  return valuesOf(options, '--name').length === 0
    ? []
    : [finding('low', 'name', '--name lets only one sandbox of this profile run at a time.')]
}

function newStart({ options }: RunArguments): Finding[] {
  return options.filter(isNewStart).map(({ flag, value }) =>
    finding('medium', 'restart', `${flag} ${value} lets plain Podman start the sandbox again unasked; Paddock’s launches leave it out.`),
  )
}

/** True when a launch must not go on without an explicit yes. */
export function needsConsent(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'high')
}
