import { callbackPort } from '../../../shared/domain/callback-port.ts'
import { isOpenableUrl } from '../../../shared/domain/openable-url.ts'
import { plain } from '../../../shared/domain/plain-text.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'

/** Asks before an address that a program printed is opened, in the person's browser or in the sandbox's. */
export function LinkBar({ url, onClose }: { url: string; onClose: () => void }) {
  const id = useApp(({ view }) => (view.kind === 'sandbox' ? view.id : ''))
  const hasDesktop = useApp(({ sandboxes }) => sandboxes?.some((one) => one.id === id && one.hasDesktop) ?? false)
  const { openOutside, openInDesktop } = useActions()
  const canOpen = isOpenableUrl(url)
  const port = callbackPort(url)
  return (
    <div
      className="bar"
      role="alertdialog"
      aria-label="Open an address outside"
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose()
      }}
    >
      <span className="bar-question">{!canOpen ? 'Only web addresses can be opened.' : port === null ? 'Open outside the sandbox?' : `Open outside? Port ${port} then leads back into the sandbox.`}</span>
      <span className="mono grow ellipsis selectable" title={plain(url)}>
        {plain(url)}
      </span>
      {canOpen && (
        <Button
          autoFocus
          onClick={() => {
            onClose()
            void openOutside(id, url)
          }}
        >
          Open
        </Button>
      )}
      {canOpen && hasDesktop && (
        <Button
          onClick={() => {
            onClose()
            void openInDesktop(id, url)
          }}
        >
          In the desktop
        </Button>
      )}
      <Button autoFocus={!canOpen} onClick={onClose}>
        {canOpen ? 'Do not open' : 'Close'}
      </Button>
    </div>
  )
}
