import { type SshAccess, sshConfigBlock } from '../../../shared/domain/ssh-config.ts'
import type { Podman } from '../engine/podman.ts'
import { guestHostName } from '../sandboxes/launch-keys.ts'
import { findWayIn } from './way-in.ts'

/**
 * What ssh, sftp, rsync and editors need to reach a sandbox, as text for ssh_config(5).
 * @throws {PaddockError} `sandbox-unknown`, `channel-unavailable` with the reason
 */
export async function sshConfigOf(podman: Podman, launchesFolder: string, id: string): Promise<string> {
  const { record, env } = await findWayIn(podman, launchesFolder, id)
  const access: SshAccess = { sandboxId: id, podman: podman.path, identityFile: record.clientKeyFile, knownHostsFile: record.knownHostsFile, hostKeyAlias: guestHostName, env }
  return sshConfigBlock(access)
}
