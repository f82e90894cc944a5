import type { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { refused } from './guest-place.ts'

/** What an agent reads for each word of the guest's file server: what is in the way, and what to do. */
const meanings: Record<string, [message: string, hint: string]> = {
  missing: ['There is nothing at this path.', 'list_workspace tells what is there.'],
  'not-a-folder': ['Something on this path is no folder.', 'list_workspace on the folder above tells what it is.'],
  exists: ['There is a file at this path already.', 'Read it first; overwrite: true replaces it.'],
  outside: ['This path leads out of the workspace through a link.', 'Only what is in the workspace can be reached; list_workspace shows links as such.'],
  'link-loop': ['The links on this path lead in a circle.', 'list_workspace shows links as such.'],
  changed: ['A link was put at this path at this very moment.', 'Ask again when nothing else changes it.'],
  'is-folder': ['There is a folder at this path, not a file.', 'list_workspace tells what is in it.'],
  'not-regular': ['This is no regular file, but a pipe, socket or device.', 'It can be neither read nor replaced; delete_workspace_path deletes it.'],
  'not-empty': ['The folder is not empty.', 'recursive: true deletes it with all that is in it.'],
  root: ['The workspace itself cannot be deleted.', 'Name what is in it.'],
  'too-many': ['There are more than 100,000 entries.', 'List a folder further down, or less deep; run_workspace_command can use find.'],
  'too-deep': ['The path goes too deep.', 'No more than 200 folders are walked.'],
  'too-long': ['A name on this path is longer than the file system takes.', 'Most take 255 bytes for a name.'],
  'no-space': ['There is no space left for this file; nothing was written.', 'workspace_status tells what is free; delete what is not needed.'],
  denied: ['The sandbox’s user may not do that.', 'run_workspace_command with "ls -la" shows the permissions.'],
  'read-only': ['The workspace can only be read.', 'The project is mounted read-only in this profile.'],
}

/** @param detail of the guest's; hostile text @param request the first word of what was asked */
export function explainRefusal(word: string, detail: string, request: string): PaddockError {
  if (word === 'missing' && request === 'write') return refused('A folder on this path is missing.', 'create_parents: true makes it.')
  const [message, hint] = meanings[word] ?? [`The sandbox could not do it${detail === '' ? '' : `: ${detail.slice(0, 300)}`}.`, 'run_workspace_command can look into it.']
  return refused(message, hint)
}
