import { X } from 'lucide-react'
import { copiedInWords } from '../../../shared/domain/file-words.ts'
import { plain } from '../../../shared/domain/plain-text.ts'
import { useActions, useAppParts } from '../../store/context.tsx'
import type { Transfer } from '../../store/transfers-slice.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { PathText } from '../../ui/path-text.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'

/** The copies of a sandbox: how far they are, what they ask, and how they ended. */
export function TransferList({ id }: { id: string }) {
  const transfers = useAppParts((state) => state.transfers.filter(({ sandboxId }) => sandboxId === id))
  if (transfers.length === 0) return null
  return (
    <section className="transfers" aria-label="Copies">
      {transfers.map((transfer) => (
        <TransferRow key={transfer.key} transfer={transfer} />
      ))}
    </section>
  )
}

function TransferRow({ transfer }: { transfer: Transfer }) {
  const { key, status, direction, error, conflicts } = transfer
  const { answerTransfer, cancelTransfer, dismissTransfer } = useActions()
  const what = plain(transfer.what)
  if (status === 'asking') return <Confirm question={question(conflicts)} yes="Copy over" no="Keep what is there" onYes={() => void answerTransfer(key, true)} onNo={() => void answerTransfer(key, false)} />
  if (status === 'failed' && error)
    return (
      <ErrorNotice what={direction === 'in' ? `${what} was not copied in.` : `${what} was not saved.`} error={error}>
        <Button onClick={() => dismissTransfer(key)}>Dismiss</Button>
      </ErrorNotice>
    )
  if (status === 'running' || status === 'cancelling') return <RunningTransfer transfer={transfer} what={what} onCancel={() => cancelTransfer(key)} />
  return (
    <div className="transfer" role="status">
      <StateGlyph kind={status === 'cancelled' ? 'ended' : leftOut(transfer) > 0 ? 'warning' : 'fresh'} />
      <div className="grow transfer-text">
        <p>
          {status === 'cancelled' ? `${what}: cancelled.` : direction === 'in' ? `Copied in ${what}.` : `Saved ${what}.`}
          {transfer.copied && <span className="quiet"> {copiedInWords(transfer.copied)}</span>}
        </p>
        {transfer.to !== null && (
          <p className="quiet mono selectable">
            <PathText path={transfer.to} />
          </p>
        )}
        {transfer.copied && transfer.copied.leftOutCount > 0 && (
          <details>
            <summary>{transfer.copied.leftOutCount} left out</summary>
            <ul className="selectable">
              {transfer.copied.leftOut.map(({ path, why }, at) => (
                <li key={at}>
                  <span className="mono">{plain(path)}</span> <span className="quiet">{plain(why)}</span>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <IconButton icon={X} label="Dismiss" onClick={() => dismissTransfer(key)} />
    </div>
  )
}

function RunningTransfer({ transfer: { direction, status, progress, totalBytes }, what, onCancel }: { transfer: Transfer; what: string; onCancel: () => void }) {
  const part = progress !== null && totalBytes ? Math.min(1, progress.bytes / totalBytes) : null
  const label = direction === 'in' ? `Copying in ${what}` : `Saving ${what}`
  return (
    <div className="transfer">
      <StateGlyph kind="working" />
      <div className="grow transfer-text">
        <p className="ellipsis" title={label}>
          {label} <span className="quiet">{progress ? copiedInWords(progress) : ''}</span>
        </p>
        <progress className="transfer-bar" aria-label={label} {...(part !== null && { value: part })} />
      </div>
      <Button look="quiet" disabled={status === 'cancelling'} onClick={onCancel}>
        {status === 'cancelling' ? 'Cancelling…' : 'Cancel'}
      </Button>
    </div>
  )
}

const leftOut = ({ copied }: Transfer) => copied?.leftOutCount ?? 0

/** What is there already. Folders keep what only they have, so "replace" would be the wrong word. */
function question(conflicts: readonly string[]): string {
  const [first = '', ...others] = conflicts.map(plain)
  return others.length === 0 ? `${first} is there already. Copy over it?` : `${first} and ${others.length} more are there already. Copy over them?`
}
