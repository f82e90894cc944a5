import { finding, type Finding } from './finding.ts'
import { isSwitchedOn, type RunArguments, valuesOf } from './run-flags.ts'

/** Options, many of them Podman's global ones, that say which programs, storage or engine the launch itself uses. */
const engineFlags = [
  '--cdi-spec-dir', '--config', '--conmon', '--connection', '--default-mounts-file', '--hooks-dir', '--identity', '--imagestore',
  '--init-path', '--module', '--network-cmd-path', '--network-config-dir', '--registries-conf', '--remote', '-r', '--root', '--runroot', '--runtime-flag',
  '--seccomp-policy', '--ssh', '--storage-driver', '--storage-opt', '--tmpdir', '--url', '--volumepath',
]

/** Whether the label chooses programs, storage or a service for Podman itself. */
export function engineAccess({ options }: RunArguments): Finding[] {
  return options
    .filter(({ flag }) => engineFlags.includes(flag))
    .map(({ flag }) => finding('high', 'engine', `${flag} changes what Podman itself runs or uses on the host.`))
}

const writingFlags = ['--cidfile', '--conmon-pidfile', '--cpu-profile', '--health-log-destination', '--memory-profile', '--pidfile']
const readingFlags = ['--env-file', '--hosts-file', '--label-file']

/** Whether the label makes Podman write a file on the host, or show the sandbox one by another way than a mount. */
export function hostFiles({ options }: RunArguments): Finding[] {
  const found = options.flatMap(({ flag, value }) => {
    const isLog = flag === '--log-opt' && value?.startsWith('path=')
    if (isLog || writingFlags.includes(flag)) return [finding('high', 'host-file', `${flag} ${value} lets Podman write a file on the host.`)]
    if (readingFlags.includes(flag)) return [finding('high', 'host-file', `${flag} ${value} hands the sandbox the content of a file of the host.`)]
    return []
  })
  if (isSwitchedOn(options, '--rootfs')) found.push(finding('high', 'rootfs', '--rootfs runs a folder of the host instead of the image.'))
  return found
}

/** What the dynamic loader and the C library load before the entrypoint's first line, which in a microVM runs as root: ld.so(8). */
const loaderVariable = /^(LD_[A-Z0-9_]+|GCONV_PATH|LOCPATH)=/

/** Whether the label hands over variables or secrets of the person’s, or has code loaded before the entrypoint. */
export function environment({ options }: RunArguments): Finding[] {
  const values = valuesOf(options, '--env')
  const found = values
    .filter((value) => !value.includes('='))
    .map((name) =>
      name.endsWith('*')
        ? finding('high', 'environment', `--env ${name} hands the sandbox every such variable of yours, secrets among them.`)
        : finding('medium', 'environment', `--env ${name} hands the sandbox a variable of yours.`),
    )
  const loaded = values.filter((value) => loaderVariable.test(value))
  found.push(...loaded.map((value) => finding('medium', 'loader', `--env ${value} loads code before the program that hardens a microVM, as its root.`)))
  if (isSwitchedOn(options, '--env-host')) found.push(finding('high', 'environment', '--env-host hands the sandbox all your variables, secrets among them.'))
  found.push(...valuesOf(options, '--secret').map((value) => finding('medium', 'secret', `--secret ${value} hands the sandbox a secret that Podman keeps for you.`)))
  return found
}

const joiningFlags = ['--pod', '--pod-id-file', '--volumes-from']

/** Whether the sandbox shares something with other containers, the person’s groups or their terminal. */
export function sharedResources({ options }: RunArguments): Finding[] {
  const joined = joiningFlags.flatMap((flag) =>
    valuesOf(options, flag).map((value) => finding('high', `${flag.slice(2)}-shared`, `${flag} ${value} shares another container’s folders or namespaces.`)),
  )
  const groups = valuesOf(options, '--group-add').flatMap((value) => value.split(','))
  if (groups.includes('keep-groups')) joined.push(finding('medium', 'groups', '--group-add keep-groups leaves the sandbox the rights of all your groups.'))
  if (isSwitchedOn(options, '--replace')) joined.push(finding('medium', 'replace', '--replace removes another container of the same name.'))
  if (valuesOf(options, '--cgroups').some((value) => value !== 'enabled')) {
    joined.push(finding('medium', 'cgroups', '--cgroups takes the sandbox out of the reach of its limits.'))
  }
  // A terminal that is shared whole takes typed input from whoever holds it (TIOCSTI); see podman-run(1), --log-driver.
  if (valuesOf(options, '--log-driver').includes('passthrough-tty')) {
    joined.push(finding('high', 'terminal', '--log-driver passthrough-tty hands the sandbox your own terminal, into which it can type commands.'))
  }
  return joined
}

/** pasta and slirp4netns can be told to open the host's own services, and to write files. */
export function networkAccess({ options }: RunArguments): Finding[] {
  const opened = valuesOf(options, '--network')
    .filter((value) => /^(pasta|slirp4netns):./.test(value))
    .map((value) => finding('high', 'network-options', `--network ${value} changes what the sandbox reaches on the host.`))
  const isPublished = isSwitchedOn(options, '--publish-all') || valuesOf(options, '--publish').length > 0
  if (isPublished) opened.push(finding('low', 'publish', '--publish opens a port of the sandbox on this machine.'))
  return opened
}
