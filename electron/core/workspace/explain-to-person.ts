import { PaddockError } from '../../../shared/errors/paddock-error.ts'

/** What a person reads for each word of the guest's file server. */
const meanings: Record<string, [message: string, hint: string]> = {
  missing: ['It is not there any more.', 'Look again: what runs in the sandbox may have moved it.'],
  'not-a-folder': ['It is no folder any more.', 'Look again from the folder above.'],
  outside: ['A link on the way leads out of this folder, and is not followed.', 'Go there in a terminal of the sandbox.'],
  'link-loop': ['The links on the way lead in a circle.', 'A terminal of the sandbox shows them.'],
  changed: ['A link was put in its place at this very moment.', 'Look again.'],
  'is-folder': ['It is a folder.', 'Open it to see what is in it.'],
  'not-regular': ['It is no file, but a pipe, a socket or a device.', 'It has nothing to show.'],
  'too-many': ['There are more than 100,000 entries in this folder.', 'A terminal of the sandbox can list them.'],
  'too-deep': ['The path goes too deep.', 'No more than 200 folders are walked.'],
  'too-long': ['A name on this path is longer than the file system takes.', 'A terminal of the sandbox may reach it.'],
  denied: ['The sandbox’s user may not read it.', 'Whoever runs there as ai cannot either.'],
}

/** The word goes along as the error's cause. @param detail of the guest's; hostile text */
export function explainToPerson(word: string, detail: string): PaddockError {
  const [message, hint] = meanings[word] ?? [`The sandbox could not do it${detail === '' ? '' : `: ${detail.slice(0, 300)}`}.`, 'Look again, or in a terminal of the sandbox.']
  return new PaddockError({ code: 'workspace-refused', message, hint }, { cause: word })
}
