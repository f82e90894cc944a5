import { useActions } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'

export interface ConflictBarProps {
  name: string
  isGone: boolean
  isComparing: boolean
  onCompare: (isComparing: boolean) => void
}

/** The file was changed by somebody else while it was changed here: nothing is written until the person chose. */
export function ConflictBar({ name, isGone, isComparing, onCompare }: ConflictBarProps) {
  const { keepMine, takeTheirs, saveProfile } = useActions()
  if (isGone)
    return (
      <div className="bar warn-bar" role="alert">
        <StateGlyph kind="warning" />
        <span className="grow">The file is gone. What you see is only kept here.</span>
        <Button
          onClick={() => {
            keepMine(name)
            void saveProfile(name)
          }}
        >
          Write it again
        </Button>
      </div>
    )
  return (
    <div className="bar warn-bar conflict-bar" role="alert">
      <StateGlyph kind="warning" />
      <span className="grow">
        {isComparing ? 'Green is yours, red is what the file holds. Edit, or choose at each difference.' : 'The file was changed outside while you were changing it.'}
      </span>
      <Button look={isComparing ? 'primary' : 'plain'} onClick={() => keepMine(name)}>
        {isComparing ? 'Keep this text' : 'Keep mine'}
      </Button>
      <Button onClick={() => takeTheirs(name)}>Take theirs</Button>
      <Button look={isComparing ? 'quiet' : 'plain'} onClick={() => onCompare(!isComparing)}>
        {isComparing ? 'Stop comparing' : 'Compare'}
      </Button>
    </div>
  )
}
