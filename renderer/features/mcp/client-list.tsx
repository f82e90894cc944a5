import type { McpClient } from '../../../shared/domain/mcp-activity.ts'
import { plain } from '../../../shared/domain/plain-text.ts'
import { durationInWords } from '../../../shared/domain/words.ts'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { useNow } from '../../ui/use-now.ts'
import { PanelSection } from '../panels/panel.tsx'

/** Who is connected. What they call themselves is theirs. */
export function ClientList({ clients }: { clients: readonly McpClient[] }) {
  const now = useNow(10_000)
  return (
    <PanelSection title="Connected">
      {clients.length === 0 && <p className="quiet">Nobody is connected now.</p>}
      <ul className="mcp-clients">
        {clients.map(({ key, name, version, transport, isReadOnly, since }) => (
          <li key={key} className="mcp-client">
            <StateGlyph kind="fresh" />
            <span className="grow ellipsis" title={`${plain(name)} ${plain(version)}`}>
              {plain(name) || 'unnamed'} <span className="quiet">{plain(version)}</span>
            </span>
            <span className="quiet mcp-facts">{[transport === 'http' ? 'HTTP' : transport, isReadOnly ? 'read-only' : null, durationInWords(now - Date.parse(since))].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
    </PanelSection>
  )
}
