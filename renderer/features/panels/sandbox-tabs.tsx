import type { SandboxPanelKind } from '../../store/view-slice.ts'
import { useActions } from '../../store/context.tsx'

const names: Record<SandboxPanelKind, string> = { files: 'Files', ports: 'Ports', egress: 'Egress', mcp: 'MCP' }

/** Goes from one panel of a sandbox to another, in the place of the panel's title. */
export function SandboxTabs({ id, shown }: { id: string; shown: SandboxPanelKind }) {
  const { openPanel } = useActions()
  return (
    <nav className="panel-tabs grow" aria-label="Panels of this sandbox">
      {(Object.keys(names) as SandboxPanelKind[]).map((kind) => (
        <button key={kind} type="button" className="panel-tab" aria-current={kind === shown ? 'page' : undefined} onClick={() => openPanel(kind === 'mcp' ? { kind, id, project: null } : { kind, id })}>
          {names[kind]}
        </button>
      ))}
    </nav>
  )
}
