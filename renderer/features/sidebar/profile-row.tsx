import type { ProfileStatus } from '../../../shared/domain/profile.ts'
import { describeProfile, purposeOf } from '../../../shared/domain/profile-words.ts'
import { capsInWords, profileInWords } from '../../../shared/domain/words.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import type { RowProps } from './project-row.tsx'

export function ProfileRow({ profile, isSelected, row }: { profile: ProfileStatus; isSelected: boolean; row: RowProps }) {
  const isBuilding = useApp(({ builds }) => builds[profile.name]?.status === 'running')
  const isUnsaved = useApp(({ drafts }) => drafts.includes(profile.name))
  const isEdited = useApp(({ view }) => view.kind === 'editor' && view.name === profile.name)
  const { openPanel } = useActions()
  const { kind, word, reasons } = describeProfile(profile)
  const caps = capsInWords(profile.caps)
  const shownWord = isBuilding ? 'building' : word
  return (
    <div className={`row ${isSelected || isEdited ? 'selected' : ''}`}>
      <Tooltip
        side="right"
        text={
          <>
            {reasons.map((reason) => (
              <p key={reason}>{reason}</p>
            ))}
            {reasons.length === 0 && <p>{profile.name} is {shownWord}.</p>}
            {!profile.runnable && profile.error === null && <p>{purposeOf(profile)}</p>}
            {caps && <p className="quiet">{caps}</p>}
          </>
        }
      >
        <button type="button" className="row-main" {...row} onClick={() => openPanel(isSelected ? null : { kind: 'profile', name: profile.name })} aria-expanded={isSelected} aria-description={profileInWords(profile).map((part) => part.replace(/\.?$/, '.')).join(' ')}>
          <StateGlyph kind={isBuilding ? 'working' : kind} />
          <span className="row-text">
            <span className="row-name ellipsis">
              {profile.name}
              {isUnsaved && (
                <span className="row-unsaved" title="Unsaved changes">
                  <span className="sr-only">, unsaved changes</span>
                </span>
              )}
            </span>
            {(kind !== 'fresh' || isBuilding) && <span className="row-word">{shownWord}</span>}
          </span>
        </button>
      </Tooltip>
    </div>
  )
}
