import { useActions, useApp } from '../../store/context.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { NameForm } from './name-form.tsx'

/** What is asked about a profile, at the top of its panel. */
export function ProfileTaskForm({ name }: { name: string }) {
  const task = useApp((state) => state.task)
  const error = useApp((state) => state.taskError)
  const { startTask, duplicateProfile, renameProfile, deleteProfile } = useActions()
  if (task === null || task.kind === 'new' || task.name !== name) return null
  if (task.kind === 'duplicate') return <NameForm title={`Duplicate ${name} as`} verb={['Duplicate', 'Duplicating…']} onName={(as) => void duplicateProfile(name, as)} />
  if (task.kind === 'rename') return <NameForm title={`Rename ${name} to`} verb={['Rename', 'Renaming…']} suggested={name} onName={(to) => void renameProfile(name, to)} />
  return (
    <>
      <Confirm question={`Move ${name} and its files to the trash?`} yes="Move to trash" no="Keep" onYes={() => void deleteProfile(name)} onNo={() => startTask(null)} />
      {error && <ErrorNotice what={`${name} was not deleted.`} error={error} />}
    </>
  )
}
