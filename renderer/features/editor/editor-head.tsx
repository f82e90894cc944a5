import { ArrowLeft, Hammer, Play, Undo2 } from 'lucide-react'
import { memo } from 'react'
import type { OpenEditor } from '../../store/open-editor.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import type { Side } from './editor-page.tsx'

/** Of the editor's state nothing that changes with every key. */
export interface EditorHeadProps extends Pick<OpenEditor, 'name' | 'source' | 'isSaving'> {
  isDirty: boolean
  hasConflict: boolean
  side: Side
  onSide: (side: Side) => void
  onBuild: () => void
}

/** Which profile it is, whether it is saved, and what can be done with it. */
export const EditorHead = memo(function EditorHead({ name, source, isSaving, isDirty, hasConflict, side, onSide, onBuild }: EditorHeadProps) {
  const isBuilding = useApp(({ builds }) => builds[name]?.endedAt === null)
  const profile = useApp(({ profiles }) => profiles?.find((one) => one.name === name))
  const { saveProfile, discardChanges, leaveEditor, tryProfile } = useActions()
  const canBuild = !isBuilding && !isSaving && !hasConflict
  // What is tried is what is saved.
  const canTry = !isDirty && !hasConflict && profile?.runnable === true && profile.error === null
  const saves = source === 'bundled' ? 'Save a copy' : 'Save'
  return (
    <header className="editor-head">
      <IconButton icon={ArrowLeft} label="Back" onClick={leaveEditor} />
      <h1 className="ellipsis">{name}</h1>
      <span className="quiet editor-saved" role="status">
        {isSaving ? 'Saving…' : isDirty ? 'Not saved' : source === 'bundled' ? '' : 'Saved'}
      </span>
      <div className="side-choice" role="group" aria-label="Show">
        {(['form', 'text'] as const).map((one) => (
          <button key={one} type="button" aria-pressed={side === one} onClick={() => onSide(one)}>
            {one === 'form' ? 'Form' : 'Text'}
          </button>
        ))}
      </div>
      <span className="grow" />
      {isDirty && <IconButton icon={Undo2} label="Discard the changes" onClick={() => discardChanges(name)} />}
      {canTry && <IconButton icon={Play} label="Try it in a throwaway sandbox" onClick={() => void tryProfile(name)} />}
      <Button disabled={!isDirty || isSaving || hasConflict} onClick={() => void saveProfile(name)} title="Ctrl+S">
        {saves}
      </Button>
      <Button look="primary" data-primary icon={Hammer} disabled={!canBuild || (!isDirty && profile?.state === 'fresh')} onClick={onBuild}>
        {isDirty ? `${saves} and build` : 'Build'}
      </Button>
    </header>
  )
})
