import { Unplug } from 'lucide-react'
import { plain } from '../../../shared/domain/plain-text.ts'
import type { PortRow } from '../../../shared/domain/port-rows.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'

interface PortItemProps {
  row: PortRow
  isBusy: boolean
  onForward: () => void
  onStop: () => void
  /** Asks whether the address is to be opened outside. */
  onOpen: (url: string) => void
}

/** A port: what listens, and the address on this machine that leads there, if one does. */
export function PortItem({ row: { port, process, addresses, local, by, canForward, isWeb }, isBusy, onForward, onStop, onOpen }: PortItemProps) {
  const address = local === null ? null : isWeb ? `http://${local}` : local
  return (
    <li className="port" aria-label={`Port ${port}`}>
      <span className="port-number">{port}</span>
      <span className="port-process">
        <span className="mono ellipsis" title={process === null ? undefined : plain(process)}>
          {process === null ? '' : plain(process)}
        </span>
        <span className="quiet port-addresses">{whereItListens(addresses, canForward)}</span>
      </span>
      {address === null && canForward && (
        <Button disabled={isBusy} aria-label={`Forward port ${port}`} onClick={onForward}>
          Forward
        </Button>
      )}
      {address !== null && (
        <span className="port-local">
          <span className="mono ellipsis selectable" title={by === 'label' ? 'Published by the profile' : 'Forwarded by this window'}>
            {address}
          </span>
          <CopyButton text={address} label="Copy the address" />
          <span className="grow" />
          {by === 'label' && <span className="quiet">published</span>}
          {isWeb && (
            <Button look="quiet" aria-label={`Open ${address}`} onClick={() => onOpen(`${address}/`)}>
              Open
            </Button>
          )}
          {by === 'forward' && <IconButton icon={Unplug} label={`Stop forwarding port ${port}`} disabled={isBusy} onClick={onStop} />}
        </span>
      )}
    </li>
  )
}

function whereItListens(addresses: readonly string[], canForward: boolean): string {
  if (addresses.length === 0) return 'Nothing listens there now'
  return canForward ? addresses.join(', ') : `Only on ${addresses.join(', ')}: it cannot be forwarded`
}
