import { useMemo } from 'react'
import { type EgressRequest, mergeRequests, totalsByHost } from '../../../shared/domain/egress-request.ts'
import { fileSizeInWords } from '../../../shared/domain/file-words.ts'
import { plain } from '../../../shared/domain/plain-text.ts'
import { RowList } from '../../ui/row-list.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'

/** What went to each host, the busiest first. */
export function HostTotals({ lines }: { lines: readonly EgressRequest[] }) {
  const totals = useMemo(() => totalsByHost(mergeRequests(lines)), [lines])
  if (totals.length === 0) return <p className="quiet">Nothing has been asked for yet.</p>
  return (
    <section className="panel-section" aria-label="Hosts">
      <RowList
        label="Hosts, the busiest first"
        items={totals}
        keyOf={({ host }) => host}
        className="egress-log"
        renderRow={({ host, allowed, blocked, sent, received }, row) => (
          <div className="egress-row" {...row} title={`${plain(host)}\n${fileSizeInWords(sent)} sent, ${fileSizeInWords(received)} received`}>
            <StateGlyph kind={blocked === 0 ? 'fresh' : allowed === 0 ? 'broken' : 'stale'} />
            <span className="mono grow ellipsis">{plain(host)}</span>
            <span className="quiet">{[allowed > 0 ? `${allowed} allowed` : null, blocked > 0 ? `${blocked} blocked` : null].filter(Boolean).join(', ')}</span>
            <span className="quiet egress-figure">{allowed > 0 ? fileSizeInWords(sent + received) : ''}</span>
          </div>
        )}
      />
    </section>
  )
}
