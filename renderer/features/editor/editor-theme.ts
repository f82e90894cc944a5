import { EditorView } from '@codemirror/view'

const paragraph = { margin: '0' }

/** A state's shape, as in ui/state-glyph.tsx, in a place that takes no elements. */
function shape(color: string, drawing: string) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16" fill="none" stroke="black" stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round">${drawing}</svg>`
  return { content: 'none', backgroundColor: color, maskImage: `url('data:image/svg+xml,${encodeURIComponent(svg)}')` }
}

/** The window's own colours and sizes on CodeMirror's parts; both themes come with the tokens. */
export const editorTheme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface-0)', fontSize: 'var(--text-small)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '20px' },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)', userSelect: 'text' },
  '.cm-line': { padding: '0 12px 0 6px' },
  '.cm-gutters': { backgroundColor: 'var(--surface-0)', color: 'var(--text-quiet)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 4px 0 8px', minWidth: '32px' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--surface-2) 50%, transparent)' },
  '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text)' },
  '.cm-specialChar': { color: 'var(--bad)' },
  '.cm-gutter-lint': { width: '16px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '3px 1px 0' },
  '.cm-lint-marker': { width: '14px', height: '14px', maskSize: 'contain' },
  '.cm-lint-marker-error': shape('var(--bad)', '<path d="M4.5 4.5l7 7M11.5 4.5l-7 7"/>'),
  '.cm-lint-marker-warning': shape('var(--warn)', '<path d="M8 3.25 13.25 12.5H2.75zM8 6.75v2.5M8 11v.01"/>'),
  '.cm-lint-marker-info': shape('var(--text-quiet)', '<circle cx="8" cy="8" r="4.25"/>'),
  '.cm-lintRange': { backgroundImage: 'none', textDecoration: 'underline 2px', textUnderlineOffset: '3px', textDecorationSkipInk: 'none' },
  '.cm-lintRange-error': { textDecorationColor: 'var(--bad)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warn)' },
  '.cm-lintRange-info': { textDecorationColor: 'var(--text-quiet)' },
  '.cm-lintRange-active': { backgroundColor: 'var(--warn-wash)' },
  '.cm-tooltip': { border: '1px solid var(--line)', borderRadius: 'var(--radius)', backgroundColor: 'var(--floating)', color: 'var(--text)', boxShadow: 'var(--shadow)', font: '400 var(--text-small) / 1.4 var(--font)', maxWidth: '400px' },
  '.cm-tooltip-lint': { overflow: 'hidden' },
  '.cm-diagnostic': { padding: '8px 12px', border: 'none', whiteSpace: 'normal' },
  '.cm-diagnostic + .cm-diagnostic': { borderTop: '1px solid var(--line)' },
  '.cm-diagnostic-error, .cm-diagnostic-warning, .cm-diagnostic-info': { borderLeft: 'none' },
  '.cm-diagnosticText p': paragraph,
  '.cm-diagnosticAction': { height: '24px', margin: '8px 0 0', padding: '0 8px', border: '1px solid var(--line-strong)', borderRadius: 'var(--radius)', backgroundColor: 'var(--surface-0)', color: 'var(--text)', font: 'inherit', cursor: 'default' },
  '.cm-diagnosticAction:hover': { backgroundColor: 'var(--surface-2)' },
  '.cm-panels': { backgroundColor: 'var(--surface-1)', color: 'var(--text)' },
  '.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: '4px', padding: '4px 32px 4px 8px', font: '400 var(--text-small) / 1.4 var(--font)' },
  '.cm-panel.cm-search br': { display: 'none' },
  '.cm-panel.cm-search label': { display: 'inline-flex', alignItems: 'center', gap: '4px', marginInline: '4px', fontSize: 'inherit' },
  '.cm-panel.cm-search [name=close]': { top: '4px', right: '8px', width: '24px', height: '24px', fontSize: '16px', color: 'var(--text-quiet)' },
  '.cm-textfield': { width: '160px', height: '24px', margin: '0', padding: '0 8px', border: '1px solid var(--line-strong)', borderRadius: 'var(--radius)', backgroundColor: 'var(--surface-0)', font: 'inherit' },
  '.cm-button': { height: '24px', margin: '0', padding: '0 8px', border: '1px solid var(--line-strong)', borderRadius: 'var(--radius)', backgroundImage: 'none', backgroundColor: 'var(--surface-0)', color: 'var(--text)', font: 'inherit' },
  '.cm-searchMatch': { backgroundColor: 'color-mix(in srgb, var(--warn) 28%, transparent)' },
  '.cm-searchMatch-selected': { backgroundColor: 'color-mix(in srgb, var(--accent) 36%, transparent)' },
  '.cm-collapsedLines': { padding: '4px 12px', background: 'var(--surface-1)', color: 'var(--text-quiet)', font: '400 var(--text-small) / 1.4 var(--font)' },
  '.cm-collapsedLines::before, .cm-collapsedLines::after': { content: 'none' },
  '.cm-changedLine': { backgroundColor: 'color-mix(in srgb, var(--good) 8%, transparent) !important' },
  '.cm-changedText': { background: 'none !important', boxShadow: 'inset 0 -2px 0 var(--good)' },
  '.cm-deletedChunk': { padding: '0 12px 0 6px', backgroundColor: 'color-mix(in srgb, var(--bad) 8%, transparent)' },
  '.cm-deletedChunk .cm-deletedText': { background: 'none', boxShadow: 'inset 0 -2px 0 var(--bad)' },
  '.cm-deletedLine, .cm-deletedLine del': { textDecoration: 'none' },
  '.cm-changeGutter': { width: '3px' },
  '.cm-changedLineGutter': { background: 'var(--good)' },
  '.cm-deletedLineGutter': { background: 'var(--bad)' },
  '.cm-deletedChunk .cm-chunkButtons': { position: 'absolute', insetInlineEnd: '8px', display: 'flex', gap: '4px', paddingBlock: '1px' },
  '.cm-deletedChunk button.merge-button': { height: '20px', margin: '0', padding: '0 8px', border: '1px solid var(--line-strong)', borderRadius: 'var(--radius)', backgroundColor: 'var(--surface-0)', color: 'var(--text)', font: '400 var(--text-small) / 1.2 var(--font)', cursor: 'default' },
  '.cm-deletedChunk button.merge-button:hover': { backgroundColor: 'var(--surface-2)' },
})
