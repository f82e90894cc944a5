import { split } from 'shlex'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { runAttached } from '../../core/process/run-attached.ts'
import { printNote } from '../print.ts'
import type { Session } from '../session.ts'
import { lintProfile } from './profile-form.ts'

/**
 * Opens a profile's Containerfile in the person's editor, and checks it afterwards.
 * @returns the editor's exit code when it failed, else the check's
 */
export async function editProfile(session: Session, name: string | undefined, isJson: boolean): Promise<number> {
  const before = await session.call('profile.open', { name })
  const { file, isCopy } = await session.call('profile.customize', { name })
  const [editor, ...args] = editorCommand()
  const exitCode = await runAttached([editor, ...args, file]).catch((error: Error) => {
    throw new PaddockError({ code: 'usage', message: `The editor ${editor} cannot be started: ${error.message}.`, hint: 'Set VISUAL or EDITOR to one that is installed.' })
  })
  const after = await session.call('profile.open', { name })
  if (isCopy && after.text === before.text) {
    await session.call('profile.remove', { name: after.name })
    printNote('Nothing was changed, so the profile that comes with Paddock still counts.')
  } else if (isCopy) printNote(`Profile ${after.name} comes with Paddock; ${file} is your own copy, which counts from now on.`)
  return exitCode === 0 ? lintProfile(session, name, isJson) : exitCode
}

/** `$VISUAL`, else `$EDITOR`, else vi, as environ(7) has it; words are split as a shell would, and no shell is asked. */
function editorCommand(): [string, ...string[]] {
  const set = [process.env.VISUAL, process.env.EDITOR].find((value) => value !== undefined && value.trim() !== '')
  try {
    const [program, ...args] = set === undefined ? [] : split(set)
    return program === undefined ? ['vi'] : [program, ...args]
  } catch {
    throw new PaddockError({ code: 'usage', message: `The editor "${set}" has a quote that is not closed.`, hint: 'Mend VISUAL or EDITOR.' })
  }
}
