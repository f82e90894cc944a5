import { FolderOpen } from 'lucide-react'
import { useActions, useApp } from '../store/context.tsx'
import { Button } from '../ui/button.tsx'
import { Mark } from '../ui/mark.tsx'
import { StateGlyph } from '../ui/state-glyph.tsx'

/** What the main pane shows while no project is chosen. */
export function Welcome() {
  const isFirst = useApp(({ projects }) => projects !== null && projects.length === 0)
  const isLoading = useApp(({ projects }) => projects === null)
  const { pickProject } = useActions()
  if (isLoading)
    return (
      <div className="page quiet" role="status">
        <h1 className="sr-only">Paddock</h1>
        <span className="note-line">
          <StateGlyph kind="working" /> Looking for your projects…
        </span>
      </div>
    )
  return (
    <div className="page">
      <div className="welcome">
        <Mark size={48} />
        <h1>{isFirst ? 'Open a project folder' : 'No project is open'}</h1>
        <p className="quiet">
          An agent works on this folder in a sandbox and sees nothing else of yours. Drop a folder on the window, or choose one.
        </p>
        <div className="actions">
          <Button look="primary" icon={FolderOpen} data-primary onClick={() => void pickProject()}>
            Open a folder…
          </Button>
        </div>
        <dl className="key-list">
          <dt>
            <kbd>Ctrl+K</kbd>
          </dt>
          <dd>Everything, by name</dd>
          <dt>
            <kbd>Ctrl+L</kbd>
          </dt>
          <dd>Launch the project in sight</dd>
          <dt>
            <kbd>F6</kbd>
          </dt>
          <dd>Move between the parts of the window</dd>
        </dl>
      </div>
    </div>
  )
}
