import { lazy, Suspense } from 'react'
import { useApp } from '../../store/context.tsx'

const SettingsPanel = lazy(() => import('../settings/settings-panel.tsx'))
const HostPanel = lazy(() => import('../host/host-panel.tsx'))
const AboutPanel = lazy(() => import('../host/about-panel.tsx'))
const ProfilePanel = lazy(() => import('./profile-panel.tsx'))
const SandboxPanel = lazy(() => import('./sandbox-panel.tsx'))
const FilesPanel = lazy(() => import('../files/files-panel.tsx'))
const PortsPanel = lazy(() => import('../ports/ports-panel.tsx'))
const EgressPanel = lazy(() => import('../egress/egress-panel.tsx'))
const McpPanel = lazy(() => import('../mcp/mcp-panel.tsx'))

/** The panel that lies over the main pane; one at a time. */
export function PanelHost() {
  const panel = useApp((state) => state.panel)
  if (panel === null) return null
  return (
    <Suspense>
      {panel.kind === 'settings' && <SettingsPanel />}
      {panel.kind === 'host' && <HostPanel />}
      {panel.kind === 'about' && <AboutPanel />}
      {panel.kind === 'profile' && <ProfilePanel key={panel.name} name={panel.name} />}
      {panel.kind === 'sandbox' && <SandboxPanel key={panel.id} id={panel.id} />}
      {panel.kind === 'files' && <FilesPanel key={panel.id} id={panel.id} />}
      {panel.kind === 'ports' && <PortsPanel key={panel.id} id={panel.id} />}
      {panel.kind === 'egress' && <EgressPanel key={panel.id} id={panel.id} />}
      {panel.kind === 'mcp' && <McpPanel key={`${panel.id} ${panel.project}`} id={panel.id} project={panel.project} />}
    </Suspense>
  )
}
