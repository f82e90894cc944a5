import { history, historyField, historyKeymap, standardKeymap } from '@codemirror/commands'
import { StreamLanguage, syntaxHighlighting } from '@codemirror/language'
import { dockerFile } from '@codemirror/legacy-modes/mode/dockerfile'
import { lintGutter, nextDiagnostic, previousDiagnostic, setDiagnostics } from '@codemirror/lint'
import { unifiedMergeView } from '@codemirror/merge'
import { search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import type { Edit, Span } from '../../../shared/domain/containerfile/edit.ts'
import type { TextFinding } from '../../../shared/domain/text-finding.ts'
import { differenceOf } from '../../../shared/domain/text-difference.ts'
import { toDiagnostic } from './diagnostic.ts'
import { editorTheme } from './editor-theme.ts'

/** A Containerfile's text on the page, with its own undo. */
export interface TextEditor {
  /** Changes that the form made; undone together, as one that was typed. */
  apply(edits: readonly Edit[]): void
  /** Shows another text; what is the same in both stays as it is, and it can be undone. */
  show(text: string): void
  showFindings(findings: readonly TextFinding[]): void
  /** Marks what differs from another text, with buttons for each difference; null ends it. */
  compare(other: string | null): void
  reveal(span: Span): void
  focus(): void
  /** Its undo stays for the next editor of the same profile. */
  dispose(): void
}

export interface TextEditorOptions {
  name: string
  text: string
  onChange(text: string, move: (offset: number) => number): void
  onFix(finding: TextFinding): void
}

/** What each profile's editor held when it was left, as JSON: a state would bring what it called as well. */
const remembered = new Map<string, { doc: string }>()
const kept = { history: historyField }

/** Characters up to which lines wrap: to measure the wrapped lines of a longer text takes a third of a frame at each key. */
const longestWrapped = 32_000

const language = StreamLanguage.define(dockerFile)

export function createTextEditor(parent: HTMLElement, { name, text, onChange, onFix }: TextEditorOptions): TextEditor {
  const comparing = new Compartment()
  const listener = EditorView.updateListener.of((update) => {
    if (update.docChanged) onChange(update.state.doc.toString(), (offset) => update.changes.mapPos(offset))
  })
  const config = { extensions: [...extensions(name), text.length > longestWrapped ? [] : EditorView.lineWrapping, comparing.of([]), listener] }
  const left = remembered.get(name)
  const state = left?.doc === text ? EditorState.fromJSON(left, config, kept) : EditorState.create({ doc: text, ...config })
  const view = new EditorView({ parent, state, scrollTo: EditorView.scrollIntoView(state.selection.main.head, { y: 'center' }) })
  return {
    apply(edits) {
      const ordered = [...edits].sort((a, b) => a.start - b.start || a.end - b.end)
      view.dispatch({ changes: ordered.map(({ start, end, text: insert }) => ({ from: start, to: end, insert })), userEvent: 'input.form' })
    },
    show(wanted) {
      const edit = differenceOf(view.state.doc.toString(), wanted)
      if (edit) view.dispatch({ changes: { from: edit.start, to: edit.end, insert: edit.text } })
    },
    showFindings: (findings) => view.dispatch(setDiagnostics(view.state, findings.flatMap((finding) => toDiagnostic(finding, view.state.doc.length, onFix)))),
    compare: (other) => view.dispatch({ effects: comparing.reconfigure(other === null ? [] : comparison(other)) }),
    reveal({ start, end }) {
      const [anchor, head] = [start, end].map((at) => Math.min(at, view.state.doc.length)) as [number, number]
      view.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
      view.focus()
    },
    focus: () => view.focus(),
    dispose() {
      remembered.set(name, view.state.toJSON(kept) as { doc: string })
      view.destroy()
    },
  }
}

function extensions(name: string): Extension[] {
  return [
    lineNumbers(),
    lintGutter(),
    history(),
    // Controls and marks that turn the direction of a text are drawn as what they are.
    highlightSpecialChars(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    search({ top: true }),
    language,
    syntaxHighlighting(classHighlighter),
    // Only LF ends a line here: an odd CR stays in the text and is seen.
    EditorState.lineSeparator.of('\n'),
    EditorView.contentAttributes.of({ 'aria-label': `Containerfile of ${name}`, tabindex: '0' }),
    // Tab is left to move the focus on.
    keymap.of([{ key: 'F8', run: nextDiagnostic }, { key: 'Shift-F8', run: previousDiagnostic }, ...searchKeymap, ...standardKeymap, ...historyKeymap]),
    editorTheme,
  ]
}

const mergeWords = { accept: 'Keep mine', reject: 'Take theirs' }

function comparison(other: string): Extension {
  return unifiedMergeView({
    original: other,
    gutter: true,
    highlightChanges: true,
    collapseUnchanged: { margin: 3, minSize: 8 },
    mergeControls(type, action) {
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'merge-button'
      button.textContent = mergeWords[type]
      button.onclick = action
      return button
    },
  })
}
