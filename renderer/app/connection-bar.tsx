import { useActions, useApp } from '../store/context.tsx'
import { Button } from '../ui/button.tsx'
import { StateGlyph } from '../ui/state-glyph.tsx'

/** Says that the lists may be old while Podman does not answer. */
export function ConnectionBar() {
  const isConnected = useApp((state) => state.isConnected)
  const error = useApp((state) => state.sandboxesError)
  const { openPanel, loadSandboxes } = useActions()
  if (isConnected && error === null) return null
  return (
    <div className="bar warn-bar" role="status">
      <StateGlyph kind="warning" />
      <span className="grow ellipsis">{error ? error.message : 'Podman does not answer, so what you see may be out of date.'}</span>
      {error && (
        <Button look="quiet" onClick={() => void loadSandboxes()}>
          Try again
        </Button>
      )}
      <Button look="quiet" onClick={() => openPanel({ kind: 'host' })}>
        Examine the host
      </Button>
    </div>
  )
}
