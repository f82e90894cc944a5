import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { applyEdits } from '../../../shared/domain/containerfile/edit.ts'
import { changeField } from '../../../shared/domain/profile-form/change-field.ts'
import type { TextFinding } from '../../../shared/domain/text-finding.ts'
import { useActions, useApp, useAppStore } from '../../store/context.tsx'
import { isDirty, type OpenEditor } from '../../store/open-editor.ts'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { ProfileBuild } from '../panels/profile-panel.tsx'
import { ConflictBar } from './conflict-bar.tsx'
import { EditorFoot } from './editor-foot.tsx'
import { EditorHead } from './editor-head.tsx'
import { FindingRows } from './finding-rows.tsx'
import type { FormHandle } from './form/form-context.tsx'
import { ProfileForm } from './form/profile-form.tsx'
import type { TextEditor } from './text-editor.ts'
import { TextPane } from './text-pane.tsx'
import { UnopenedProfile } from './unopened-profile.tsx'
import { inheritedLabelOf, useProfileForm } from './use-profile-form.ts'
import './editor.css'

/** What is shown where there is no room for both. */
export type Side = 'form' | 'text'
/** What is unfolded at the bottom; one at a time. */
export type Drawer = 'findings' | 'build'

/** So long after the last key the profile's folder is asked about files that are copied. */
const lintAfterMs = 400

/** A profile's editor: the form and the text, each showing what the other changes. */
export default function EditorPage({ name }: { name: string }) {
  const editor = useApp(({ editors }) => editors[name])
  const unopened = useApp((state) => state.unopened[name])
  if (editor) return <Editor key={name} editor={editor} />
  if (unopened) return <UnopenedProfile name={name} {...unopened} />
  return (
    <div className="page quiet" role="status">
      <span className="note-line">
        <StateGlyph kind="working" /> Opening {name}…
      </span>
    </div>
  )
}

function Editor({ editor }: { editor: OpenEditor }) {
  const { name, text, source, conflict, isSaving } = editor
  const store = useAppStore()
  const build = useApp(({ builds }) => builds[name])
  const { lintEditor, saveAndBuild } = useActions()
  const [side, setSide] = useState<Side>('form')
  const [drawer, setDrawer] = useState<Drawer | null>(null)
  const [isComparing, setComparing] = useState(false)
  const pane = useRef<TextEditor>(null)
  const read = useProfileForm(editor, build)
  const { follow } = read
  const theirs = conflict?.theirs ?? null
  useEffect(() => {
    const timer = setTimeout(() => void lintEditor(name), lintAfterMs)
    return () => clearTimeout(timer)
  }, [text, name, lintEditor])
  useEffect(() => {
    if (theirs === null) setComparing(false)
  }, [theirs])
  const hasDrawer = drawer === 'build' ? build !== undefined : drawer === 'findings' && read.findings.length > 0

  const reveal = useCallback((span: { start: number; end: number }) => {
    setSide('text')
    // The text may only come into sight with the next drawing.
    requestAnimationFrame(() => pane.current?.reveal(span))
  }, [])
  const handle = useMemo((): FormHandle => ({
    change(field, value) {
      const now = store.getState().editors[name]!
      const result = changeField(now.text, field, value, { inheritedLabel: inheritedLabelOf(now) })
      if (!result.ok) return result.why
      if (result.edits.length > 0) pane.current?.apply(result.edits)
      follow(store.getState().editors[name]!)
      return null
    },
    reveal,
  }), [store, name, reveal, follow])
  const saveThenBuild = useCallback(() => {
    setDrawer('build')
    void saveAndBuild(name)
  }, [name, saveAndBuild])
  const compare = (isOn: boolean) => {
    setComparing(isOn)
    if (isOn) setSide('text')
  }
  const fix = (finding: TextFinding) => {
    const now = store.getState().editors[name]!.text
    // Its places are those of the text that it was found in.
    if (!finding.fix || now !== read.text || applyEdits(now, finding.fix.edits) === now) return
    pane.current?.apply(finding.fix.edits)
  }
  return (
    <div className="editor">
      <EditorHead
        name={name}
        source={source}
        isSaving={isSaving}
        isDirty={isDirty(editor)}
        hasConflict={conflict !== null}
        side={side}
        onSide={setSide}
        onBuild={saveThenBuild}
      />
      {source === 'bundled' && <p className="editor-say quiet">It comes with Paddock and stays as it is. Saving makes a copy of your own, which counts from then on.</p>}
      {conflict && <ConflictBar name={name} isGone={conflict.theirs === null} isComparing={isComparing} onCompare={compare} />}
      <div className="editor-body" data-side={side}>
        <div className="form-pane">
          <ProfileForm name={name} form={read.form} handle={handle} />
        </div>
        <TextPane ref={pane} name={name} findings={read.findings} about={read.text} other={isComparing ? theirs : null} onFix={fix} />
      </div>
      {hasDrawer && (
        <section className="editor-drawer" aria-label={drawer === 'build' ? 'Build' : 'Findings'}>
          {drawer === 'build' ? <ProfileBuild name={name} /> : <FindingRows findings={read.findings} onShow={reveal} onFix={fix} />}
        </section>
      )}
      <EditorFoot name={name} findings={read.findings} preview={read.preview} drawer={hasDrawer ? drawer : null} onDrawer={setDrawer} />
    </div>
  )
}
