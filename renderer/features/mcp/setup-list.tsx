import { useState } from 'react'
import { type McpSetup, mcpSetups, type McpSubject } from '../../../shared/domain/mcp-setups.ts'
import { CodeLine } from '../../ui/code-line.tsx'
import { PathText } from '../../ui/path-text.tsx'

interface SetupListProps {
  command: readonly string[]
  subject: McpSubject
  /** Whether the first client's text is in sight at once. */
  isOpen: boolean
}

/** How to add the server to each client, a text to copy each. */
export function SetupList({ command, subject, isOpen }: SetupListProps) {
  const [isReadOnly, setReadOnly] = useState(false)
  return (
    <section className="panel-section mcp-setups" aria-label="Add to a client">
      <div className="mcp-setups-head">
        <h3 className="grow">Add to a client</h3>
        <label className="mcp-read-only">
          <input type="checkbox" checked={isReadOnly} onChange={({ target }) => setReadOnly(target.checked)} /> Read-only
        </label>
      </div>
      <ul className="mcp-setup-list">
        {mcpSetups(command, subject, isReadOnly).map((setup, at) => (
          <Setup key={setup.client} setup={setup} isOpen={isOpen && at === 0} />
        ))}
      </ul>
    </section>
  )
}

function Setup({ setup: { client, file, how, text }, isOpen }: { setup: McpSetup; isOpen: boolean }) {
  return (
    <li>
      {/* Of one name: opening one closes the other. */}
      <details className="mcp-setup" name="mcp-setup" open={isOpen}>
        <summary>{client}</summary>
        <div className="mcp-setup-body">
          {file !== null && (
            <p className="mono selectable">
              <PathText path={file} />
            </p>
          )}
          <p className="quiet">{how}</p>
          <CodeLine text={text} label={`Copy for ${client}`} />
        </div>
      </details>
    </li>
  )
}
