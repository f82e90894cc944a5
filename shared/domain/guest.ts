/** Where the entrypoint finds what its sshd runs on; mounted read-only. */
export const channelMountPoint = '/run/paddock/channel'

/** Where sshd listens inside, on the guest's loopback only. */
export const channelPort = 2222

/** Files of the mounted folder, by what they are for. The entrypoint knows `sshd_config`. */
export const channelFiles = { config: 'sshd_config', hostKey: 'host_key', authorizedKeys: 'authorized_keys' } as const

/**
 * The configuration of the guest's sshd, which runs as ai: one key may log in, as ai, and reach the guest's own loopback.
 * It comes with the mount and not with the image, so that it is this version's and the guest cannot change it. Pure.
 */
export function sshdConfig(): string {
  const file = (name: keyof typeof channelFiles) => `${channelMountPoint}/${channelFiles[name]}`
  return [
    `Port ${channelPort}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${file('hostKey')}`,
    `AuthorizedKeysFile ${file('authorizedKeys')}`,
    // The mount is read-only; who owns the folders above it differs between containers and microVMs.
    'StrictModes no',
    'PidFile none',
    'AllowUsers ai',
    'PermitRootLogin no',
    'AuthenticationMethods publickey',
    'PubkeyAcceptedAlgorithms ssh-ed25519',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'HostbasedAuthentication no',
    'UsePAM no',
    'AllowAgentForwarding no',
    'X11Forwarding no',
    'AllowTcpForwarding local',
    'AllowStreamLocalForwarding no',
    'PermitOpen 127.0.0.1:* localhost:* [::1]:*',
    'PermitListen none',
    'PermitTunnel no',
    'GatewayPorts no',
    'PermitUserRC no',
    'PermitUserEnvironment no',
    // Sessions get the sandbox's own variables, which sshd does not pass on; only who holds the key can send any.
    'AcceptEnv *',
    'Subsystem sftp internal-sftp',
    'MaxSessions 64',
    'MaxStartups 16:30:64',
    'MaxAuthTries 2',
    'LoginGraceTime 20',
    'UseDNS no',
    'Compression no',
    'PrintMotd no',
    'PrintLastLog no',
    // Fast with the processor's own instructions, on both ends.
    'Ciphers aes128-gcm@openssh.com,aes256-gcm@openssh.com',
    'LogLevel ERROR',
    '',
  ].join('\n')
}
