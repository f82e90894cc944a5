import { type McpCall, maxJournalCalls } from '../../../shared/domain/mcp-activity.ts'
import { plain } from '../../../shared/domain/plain-text.ts'
import { type Glyph, StateGlyph } from '../../ui/state-glyph.tsx'
import { RowList } from '../../ui/row-list.tsx'

const words: Record<string, string> = {
  workspace_status: 'status',
  list_workspace: 'list',
  read_workspace_file: 'read',
  write_workspace_file: 'write',
  delete_workspace_path: 'delete',
  run_workspace_command: 'run',
}
const glyphs: Record<McpCall['outcome'], Glyph> = { running: 'working', done: 'fresh', failed: 'broken', cancelled: 'ended', lost: 'warning' }

/** The last calls, the newest first. */
export function CallList({ calls }: { calls: readonly McpCall[] }) {
  return (
    <section className="panel-section mcp-calls" aria-label="Calls">
      <h3>
        Calls {calls.length >= maxJournalCalls && <span className="quiet">the last {maxJournalCalls}</span>}
      </h3>
      <RowList
        label="Calls, the newest first"
        items={calls}
        keyOf={({ key }) => key}
        className="call-list"
        renderRow={(call, row) => {
          const { tool, what, outcome, ms, at, client } = call
          const said = `${words[tool] ?? plain(tool)} ${plain(what)}`.trim()
          return (
            <div className="call" {...row} title={`${plain(client)}: ${plain(tool)} ${plain(what)}`}>
              <StateGlyph kind={glyphs[outcome]} />
              <span className="call-tool">{words[tool] ?? plain(tool)}</span>
              <span className="mono grow ellipsis">{plain(what)}</span>
              <span className="sr-only">
                {said}, {outcome}
              </span>
              <span className="quiet call-time">{ms === null ? '' : milliseconds(ms)}</span>
              <time className="quiet call-time" dateTime={at}>
                {clock(new Date(at))}
              </time>
            </div>
          )
        }}
      />
    </section>
  )
}

const clock = (at: Date) => [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
const milliseconds = (ms: number) => (ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`)
