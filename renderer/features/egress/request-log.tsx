import { Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import { type EgressRequest, egressReasonWords, mergeRequests } from '../../../shared/domain/egress-request.ts'
import { fileSizeInWords } from '../../../shared/domain/file-words.ts'
import { plain } from '../../../shared/domain/plain-text.ts'
import { useActions, useApi } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'

/** Each request, the newest first. Its texts are the sandbox's. */
export function RequestLog({ id, lines }: { id: string; lines: readonly EgressRequest[] }) {
  const [filter, setFilter] = useState('')
  const [isBlockedOnly, setBlockedOnly] = useState(false)
  const all = useMemo(() => mergeRequests(lines).reverse(), [lines])
  const shown = useMemo(() => {
    const word = filter.trim().toLowerCase()
    return all.filter((request) => !(isBlockedOnly && request.allowed) && [request.host, String(request.port), request.path, request.agent].some((text) => text?.toLowerCase().includes(word)))
  }, [all, filter, isBlockedOnly])
  if (all.length === 0) return <Nothing />
  return (
    <section className="panel-section" aria-label="Requests">
      <div className="egress-tools">
        <input type="search" className="input" aria-label="Filter requests" placeholder="Filter by host, path or program" value={filter} onChange={({ target }) => setFilter(target.value)} />
        <label className="egress-check">
          <input type="checkbox" checked={isBlockedOnly} onChange={({ target }) => setBlockedOnly(target.checked)} /> Blocked only
        </label>
        <Export id={id} />
      </div>
      {shown.length === 0 && <p className="quiet">No request is like that.</p>}
      {shown.length > 0 && <RowList label="Requests, the newest first" items={shown} keyOf={({ key }) => key} className="egress-log" renderRow={(request, row) => <Row request={request} row={row} />} />}
    </section>
  )
}

function Row({ request, row }: { request: EgressRequest; row: { tabIndex: number; 'data-row': number } }) {
  const { allowed, method, path, at, agent, rule, reason, sent, received } = request
  const address = plain(`${request.host}:${request.port}${path ?? ''}`)
  const why = allowed ? (rule === null ? egressReasonWords[reason] : `allowed by ${plain(rule)}`) : egressReasonWords[reason]
  const by = agent === null ? '' : plain(agent)
  const isOpen = sent === null && received === null && allowed
  return (
    <div className="egress-row" {...row} title={[`${plain(method)} ${address}`, why, by && `by ${by}`].filter(Boolean).join('\n')}>
      <StateGlyph kind={allowed ? 'fresh' : 'broken'} />
      <span className="mono ellipsis egress-address">{address}</span>
      <span className="sr-only">{allowed ? 'allowed' : 'blocked'}</span>
      <span className="quiet grow ellipsis">{allowed ? by : why}</span>
      <span className="quiet egress-figure">{isOpen ? 'open' : allowed ? fileSizeInWords((sent ?? 0) + (received ?? 0)) : ''}</span>
      <time className="quiet egress-figure" dateTime={at}>
        {clock(new Date(at))}
      </time>
    </div>
  )
}

function Export({ id }: { id: string }) {
  const api = useApi()
  const { announce, report } = useActions()
  const save = async () => {
    const reply = await api.call('egress.export', { id })
    if (!reply.ok) report('The requests were not saved.', reply.error)
    else if (reply.value !== null) announce(`The requests were saved as ${reply.value.to}.`)
  }
  return (
    <Button icon={Download} title="A request a line, as JSON" onClick={() => void save()}>
      Export
    </Button>
  )
}

function Nothing() {
  return (
    <div className="egress-intro">
      <p>Nothing has been asked for yet.</p>
      <p className="quiet">Each request that a program in the sandbox makes appears here, let through or blocked. What no rule lets through is asked about above the terminal.</p>
    </div>
  )
}

const clock = (at: Date) => [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
