import { channelPort } from './guest.ts'
import { quoteWord } from './quote-word.ts'

/** The files by which an SSH client and one sandbox know each other. */
export interface SshKeyFiles {
  identityFile: string
  knownHostsFile: string
  /** The name under which the host key stands in that file. */
  hostKeyAlias: string
}

/** What an SSH client needs to know of one sandbox. */
export interface SshAccess extends SshKeyFiles {
  sandboxId: string
  /** Podman as Paddock calls it: a path, or a name on the search path. */
  podman: string
  /** Variables that sessions should get. */
  env: Readonly<Record<string, string>>
}

/** As many digits as Podman shows. */
const shownDigits = 12

/** The name by which SSH clients reach a sandbox. */
export function sshHostName(sandboxId: string): string {
  return `paddock-${sandboxId.slice(0, shownDigits)}`
}

/**
 * A block for ssh_config(5). It asks Podman for the way in at each connection and needs no Paddock; only the key of this
 * launch is offered, and only its host key accepted. Pure.
 */
export function sshConfigBlock({ sandboxId, podman, env, ...files }: SshAccess): string {
  const variables = Object.entries(env).filter(([name, value]) => isTellable(name, value)).map(([name, value]) => `${name}=${value}`)
  const settings = [...pinned(files), `ProxyCommand ${proxyCommand(podman, sandboxId)}`, ...(variables.length > 0 ? [`SetEnv ${variables.map((variable) => `"${variable}"`).join(' ')}`] : [])]
  return [`Host ${sshHostName(sandboxId)}`, ...settings.map((setting) => `  ${setting}`), ''].join('\n')
}

/**
 * Words that start OpenSSH's client as the stream of a file session: on its stdin and stdout is the guest's SFTP. It reads
 * no configuration, asks nobody anything and forwards nothing. Its proxy command is for a POSIX shell, which `SHELL` has to
 * name. Pure. Source: ssh(1), ssh_config(5).
 * @param wayIn reaches the sandbox's sshd on its stdin and stdout
 */
export function sshFileSessionWords(files: SshKeyFiles, wayIn: readonly string[]): [string, ...string[]] {
  const settings = [
    ...pinned(files),
    `ProxyCommand ${wayIn.map(quoteWord).join(' ').replaceAll('%', '%%')}`,
    'BatchMode yes',
    'ControlMaster no',
    'ControlPath none',
    'ClearAllForwardings yes',
    'EscapeChar none',
    'RequestTTY no',
    'Compression no',
    'KexAlgorithms curve25519-sha256,curve25519-sha256@libssh.org',
    'Ciphers aes128-gcm@openssh.com,aes256-gcm@openssh.com',
    'ServerAliveInterval 10',
    'ServerAliveCountMax 3',
    'LogLevel ERROR',
  ]
  return ['ssh', '-F', 'none', ...settings.flatMap((setting) => ['-o', setting]), '-s', '--', files.hostKeyAlias, 'sftp']
}

/** Only this launch's keys, on both sides; and nothing that a person's own configuration may allow every host. */
function pinned({ identityFile, knownHostsFile, hostKeyAlias }: SshKeyFiles): string[] {
  return [
    'User ai',
    `HostKeyAlias ${hostKeyAlias}`,
    'HostKeyAlgorithms ssh-ed25519',
    `UserKnownHostsFile ${path(knownHostsFile)}`,
    'GlobalKnownHostsFile /dev/null',
    'StrictHostKeyChecking yes',
    'CheckHostIP no',
    'UpdateHostKeys no',
    `IdentityFile ${path(identityFile)}`,
    'IdentitiesOnly yes',
    'IdentityAgent none',
    'PreferredAuthentications publickey',
    'ForwardAgent no',
    'ForwardX11 no',
    'PermitLocalCommand no',
  ]
}

/** ssh has the person's own shell run it, which may be none of POSIX; so it is one word to /bin/sh. */
function proxyCommand(podman: string, id: string): string {
  const program = quoteWord(podman)
  const script = [
    'unset CONTAINER_HOST CONTAINER_CONNECTION',
    'export PODMAN_IGNORE_CGROUPSV1_WARNING=1',
    `pid=$(${program} container inspect --format "{{.State.Pid}}" ${id})`,
    `exec ${program} unshare nsenter --target "$pid" --net socat -b 65536 - TCP4:127.0.0.1:${channelPort},nodelay`,
  ].join('; ')
  return `/bin/sh -c ${quoteWord(script)}`.replaceAll('%', '%%')
}

/** A per cent sign begins a token. Source: ssh_config(5), TOKENS. */
const path = (text: string) => `"${text.replaceAll('%', '%%')}"`

const secretName = /(token|secret|password|passwd|api_?key|credential|auth|proxy)/i

/** Whether a variable can and should stand in a file that people copy. */
function isTellable(name: string, value: string): boolean {
  return !secretName.test(name) && /^[^"'\\\n\r%$]*$/.test(value)
}
