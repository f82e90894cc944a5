import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import type { TextFinding } from '../../../shared/domain/text-finding.ts'
import { useAppStore } from '../../store/context.tsx'
import { createTextEditor, type TextEditor } from './text-editor.ts'

export interface TextPaneProps {
  name: string
  findings: readonly TextFinding[]
  /** The text that the findings are about. */
  about: string
  /** Another text to compare with; null while there is nothing to compare. */
  other: string | null
  onFix: (finding: TextFinding) => void
  ref: Ref<TextEditor>
}

/** The Containerfile's text. The store has the newest text, whoever changed it. */
export function TextPane({ name, findings, about, other, onFix, ref }: TextPaneProps) {
  const store = useAppStore()
  const box = useRef<HTMLDivElement>(null)
  const editor = useRef<TextEditor>(null)
  const hasShown = useRef(false)
  const fix = useRef(onFix)
  useEffect(() => {
    fix.current = onFix
  }, [onFix])
  const textNow = () => store.getState().editors[name]?.text
  useEffect(() => {
    let shown = textNow() ?? ''
    const made = createTextEditor(box.current!, {
      name,
      text: shown,
      onChange(text, move) {
        shown = text
        store.getState().editText(name, text, move)
      },
      onFix: (finding) => fix.current(finding),
    })
    editor.current = made
    if (document.activeElement === document.body || document.activeElement === null) made.focus()
    const stop = store.subscribe(() => {
      const text = textNow()
      if (text !== undefined && text !== shown) made.show(text)
    })
    return () => {
      stop()
      made.dispose()
      editor.current = null
    }
  }, [store, name])
  useEffect(() => {
    // Findings of an older text have their places in that one; the next ones are on their way.
    if (textNow() !== about || (findings.length === 0 && !hasShown.current)) return
    hasShown.current = findings.length > 0
    editor.current?.showFindings(findings)
  }, [findings, about])
  useEffect(() => {
    if (other !== null) editor.current?.compare(other)
    return () => editor.current?.compare(null)
  }, [other])
  useImperativeHandle(ref, () => ({
    apply: (edits) => editor.current?.apply(edits),
    show: (text) => editor.current?.show(text),
    showFindings: (list) => editor.current?.showFindings(list),
    compare: (text) => editor.current?.compare(text),
    reveal: (span) => editor.current?.reveal(span),
    focus: () => editor.current?.focus(),
    dispose: () => editor.current?.dispose(),
  }), [])
  return <div ref={box} className="text-pane" />
}
