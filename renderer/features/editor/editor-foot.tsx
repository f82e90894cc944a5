import { ChevronDown, ChevronUp } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { ChangePreview } from '../../../shared/domain/profile-form/preview-change.ts'
import type { TextFinding } from '../../../shared/domain/text-finding.ts'
import { useApp } from '../../store/context.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type Glyph, StateGlyph } from '../../ui/state-glyph.tsx'
import { countFindings } from './count-findings.ts'
import type { Drawer } from './editor-page.tsx'
import { findingGlyphs } from './finding-rows.tsx'

export interface EditorFootProps {
  name: string
  findings: readonly TextFinding[]
  preview: ChangePreview | null
  drawer: Drawer | null
  onDrawer: (drawer: Drawer | null) => void
}

const buildGlyphs: Record<string, Glyph> = { running: 'working', cancelling: 'working', failed: 'broken', cancelled: 'ended', done: 'fresh' }
const buildWords: Record<string, string> = { running: 'Building', cancelling: 'Cancelling', failed: 'Build failed', cancelled: 'Build cancelled', done: 'Built' }

/** What there is to say about the text, in one line; its parts open the list behind them. */
export const EditorFoot = memo(function EditorFoot({ name, findings, preview, drawer, onDrawer }: EditorFootProps) {
  const build = useApp(({ builds }) => builds[name]?.status)
  const profile = useApp(({ profiles }) => profiles?.find((one) => one.name === name))
  const worst = (['error', 'warning', 'note'] as const).find((level) => findings.some((one) => one.level === level))
  const state = preview ? preview.sentence : profile?.error == null && profile?.state !== 'fresh' ? (profile?.reasons.join(' ') ?? '') : ''
  return (
    <footer className="editor-foot">
      {worst ? (
        <FootButton isOpen={drawer === 'findings'} onClick={() => onDrawer(drawer === 'findings' ? null : 'findings')}>
          <StateGlyph kind={findingGlyphs[worst]} /> {countFindings(findings)}
        </FootButton>
      ) : (
        <span className="quiet foot-note">No findings</span>
      )}
      <span className="grow ellipsis quiet" role="status" title={state}>
        {state}
      </span>
      {build && (
        <FootButton isOpen={drawer === 'build'} onClick={() => onDrawer(drawer === 'build' ? null : 'build')}>
          <StateGlyph kind={buildGlyphs[build]!} /> {buildWords[build]}
        </FootButton>
      )}
    </footer>
  )
})

function FootButton({ isOpen, onClick, children }: { isOpen: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className="foot-button" aria-expanded={isOpen} onClick={onClick}>
      {children}
      <Icon of={isOpen ? ChevronDown : ChevronUp} className="quiet" />
    </button>
  )
}
