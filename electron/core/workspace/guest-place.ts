import { projectMountPoint } from '../../../shared/domain/sandbox.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { GuestChannel } from '../guest/guest-channel.ts'

/** Perl's core alone is essential in every Debian, the smallest image included; Python and the rest are not. */
export const guestPerl = '/usr/bin/perl'

/** The folder that a workspace is. */
export const workspaceFolder = projectMountPoint

/** Reaches a sandbox's channel; whoever gives it decides what happens when there is none. */
export type OpenGuest = (signal?: AbortSignal) => Promise<GuestChannel>

/** An error that an agent can act on. */
export function refused(message: string, hint?: string): PaddockError {
  return new PaddockError({ code: 'workspace-refused', message, hint })
}

/** What a program of Paddock's that ended at once in the guest is about; null for an end with another reason. */
export function startProblem(exitCode: number, folder = workspaceFolder): PaddockError | null {
  if (exitCode === 127 || exitCode === 126) return refused('The sandbox’s image has no perl, which working on its files needs.', 'Add perl-base to the profile’s image.')
  return exitCode === 3 ? refused(`The sandbox has no ${folder === workspaceFolder ? 'project' : 'folder'} at ${folder}.`, 'Its profile mounts none; use another profile.') : null
}
