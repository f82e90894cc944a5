import { AppWindow } from 'lucide-react'
import { useActions } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

/** Stands in a sandbox's tab for its desktop while that has a window of its own. */
export function DesktopElsewhere({ id }: { id: string }) {
  const { openDesktopWindow, closeDesktopWindow } = useActions()
  return (
    <section className="bar" aria-label="Desktop">
      <Icon of={AppWindow} className="quiet" />
      <span className="grow ellipsis">The desktop is in a window of its own.</span>
      <Button look="quiet" onClick={() => void openDesktopWindow(id)}>
        Go to it
      </Button>
      <Button onClick={() => void closeDesktopWindow(id)}>Show it here</Button>
    </section>
  )
}
