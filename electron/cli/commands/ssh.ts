import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { sshHostName } from '../../../shared/domain/ssh-config.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { sshConfigOf } from '../../core/guest/ssh-access.ts'
import { runAttached } from '../../core/process/run-attached.ts'
import { onlySandbox } from '../only-sandbox.ts'
import { printNote } from '../print.ts'
import type { CommandContext } from '../program.ts'
import type { Session } from '../session.ts'

/** Adds the way for SSH's own clients: `paddock ssh` and `paddock ssh-config`. */
export function addSshCommands(program: Command, { session, passed, finish }: CommandContext): void {
  program
    .command('ssh')
    .summary('run the real ssh into a running sandbox')
    .description('Runs this machine’s ssh into a running sandbox; what stands behind the id are ssh’s own options and command.')
    .argument('<id>', 'id or unique beginning of one')
    .argument('[args...]', 'for ssh, as in: paddock ssh ID -L 8080:localhost:80 -N')
    .passThroughOptions()
    .allowUnknownOption()
    .action(async (id: string, args: string[]) => finish(await ssh(session, id, [...args, ...(passed.length > 0 ? ['--', ...passed] : [])])))
  program
    .command('ssh-config')
    .summary('print what ssh, sftp, rsync and editors need')
    .description('Prints blocks for ~/.ssh/config, by which ssh, sftp, rsync and editors reach running sandboxes as paddock-ID.')
    .argument('[id]', 'id or unique beginning of one; absent means all that can be reached')
    .action(async (id: string | undefined) => {
      const { podman, paths } = session.core
      const sandboxes = id === undefined ? (await session.call('sandbox.list', {})).filter(({ state, channelProblem }) => state === 'running' && channelProblem === null) : [await onlySandbox(session, id)]
      const blocks = await Promise.all(sandboxes.map((sandbox) => sshConfigOf(podman, paths.launchesFolder, sandbox.id)))
      process.stdout.write(blocks.join('\n'))
      if (blocks.length === 0) printNote('No sandbox that can be reached is running; "paddock run" starts one.')
    })
}

async function ssh(session: Session, given: string, args: readonly string[]): Promise<number> {
  const { podman, paths } = session.core
  const { id } = await onlySandbox(session, given)
  const config = await sshConfigOf(podman, paths.launchesFolder, id)
  const folder = await mkdtemp(join(tmpdir(), 'paddock-ssh-'))
  try {
    const file = join(folder, 'config')
    await writeFile(file, config, { mode: 0o600 })
    return await runAttached(['ssh', '-F', file, sshHostName(id), ...args])
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new PaddockError({ code: 'usage', message: 'ssh is not installed on this machine.', hint: 'Install OpenSSH’s client, or use: paddock shell ID' }, { cause: error })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
