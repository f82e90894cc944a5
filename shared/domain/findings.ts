import * as z from 'zod/mini'
import type { RunArguments, RunOption } from './run-flags.ts'
import { isSwitchedOn, lastValueOf, valuesOf } from './run-flags.ts'

/** One thing about a run label that a person should know before trusting it. */
export const findingSchema = z.object({
  /** `high` needs an explicit yes before a launch; `medium` is a missing control; `low` is worth knowing. */
  level: z.enum(['high', 'medium', 'low']),
  /** Stable name for programs, e.g. `privileged`. */
  rule: z.string(),
  /** One sentence of what and why. */
  message: z.string(),
})
export type Finding = z.infer<typeof findingSchema>

type Rule = (label: RunArguments) => Finding[]

const rules: Rule[] = [
  privileged, capabilities, securityOptions, hostNamespaces, hostMounts, devices, runtime, network, rootFilesystem, temporaryFolder,
  processLimit, microvmCaps, user, containerName,
]

/** Judges an expanded or unexpanded run label: what power it adds and which controls it lacks. */
export function findingsOf(label: RunArguments): Finding[] {
  return rules.flatMap((rule) => rule(label))
}

const finding = (level: Finding['level'], rule: string, message: string): Finding => ({ level, rule, message })

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
  const values = valuesOf(options, '--security-opt').map((value) => value.replace(':', '='))
  const found = values
    .filter((value) => /^(seccomp|apparmor)=unconfined$|^label=disable$|^unmask=|^systempaths=unconfined$/.test(value))
    .map((value) => finding('high', 'security-opt', `--security-opt ${value} removes a protection of the kernel.`))
  const noNewPrivileges = values.findLast((value) => value.startsWith('no-new-privileges'))
  if (noNewPrivileges === undefined || /=false$/.test(noNewPrivileges)) {
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

/** Sources whose mount hands the sandbox the person's identity or the container engine. */
const forbiddenSources: [RegExp, string][] = [
  [/^\/$/, 'the whole file system of the host'],
  [/^(\$HOME|\$\{HOME\}|~)\/?$/, 'your whole home folder'],
  [/^(\$HOME|\$\{HOME\}|~|\/home\/[^/]+|\/root)\/(\.ssh|\.gnupg|\.aws|\.kube|\.config\/gcloud)(\/|$)/, 'your keys'],
  [/(podman|docker|containerd|crio)\.sock$/, 'the container engine’s socket, which is as good as your account'],
  [/^\/(run|var\/run)(\/user(\/[^/]+)?)?(\/podman|\/docker)?\/?$/, 'the host’s runtime sockets'],
  [/^\/(etc|proc|sys|dev|boot|root|home|var|usr)\/?$/, 'a folder of the host’s system'],
]

function hostMounts({ options }: RunArguments): Finding[] {
  return mountSources(options).flatMap((source) =>
    forbiddenSources
      .filter(([pattern]) => pattern.test(source))
      .slice(0, 1)
      .map(([, what]) => finding('high', 'mount', `Mounting ${source} gives the sandbox ${what}.`)),
  )
}

/** Host paths of all bind mounts, in the label's own spelling, `.` and `..` resolved as text. */
export function mountSources(options: readonly RunOption[]): string[] {
  const volumes = valuesOf(options, '--volume').map((value) => value.split(':')[0]!)
  const mounts = valuesOf(options, '--mount').flatMap((value) =>
    [...value.matchAll(/(?:^|,)"?(?:source|src)=([^",]+)/g)].map((match) => match[1]!),
  )
  return [...volumes, ...mounts].map(normalise)
}

function normalise(path: string): string {
  if (!/^[/$~]/.test(path)) return path
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') parts.pop()
    else parts.push(part)
  }
  return path.startsWith('/') ? `/${parts.join('/')}` : parts.join('/')
}

function devices({ options }: RunArguments): Finding[] {
  return valuesOf(options, '--device')
    .filter((device) => !device.startsWith('/dev/kvm'))
    .map((device) => finding('high', 'device', `--device ${device} gives the sandbox a device of the host.`))
}

function runtime({ options }: RunArguments): Finding[] {
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
  const missing = ['noexec', 'nosuid', 'nodev'].filter((flag) => !flags.includes(flag))
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
    .filter((key) => !annotations.some((annotation) => annotation.startsWith(`${key}=`)))
    .map((key) => finding('medium', 'krun-annotation', `--annotation ${key}=… is missing, so krun’s own default applies.`))
}

function user({ options }: RunArguments): Finding[] {
  const name = lastValueOf(options, '--user')
  if (name === undefined) return [finding('medium', 'user', '--user ai is missing, so the image decides who runs.')]
  return /^(root|0)(:|$)/.test(name) ? [finding('high', 'user', `--user ${name} runs the sandbox as root.`)] : []
}

function containerName({ options }: RunArguments): Finding[] {
  return valuesOf(options, '--name').length === 0
    ? []
    : [finding('low', 'name', '--name lets only one sandbox of this profile run at a time.')]
}

/** True when a launch must not go on without an explicit yes. */
export function needsConsent(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'high')
}
