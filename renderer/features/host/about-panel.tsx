import { useEffect } from 'react'
import { useActions, useApp } from '../../store/context.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Panel } from '../panels/panel.tsx'
import '../project/project.css'

/** Which versions of what are at work. */
export default function AboutPanel() {
  const about = useApp((state) => state.about)
  const error = useApp((state) => state.aboutError)
  const { loadAbout } = useActions()
  useEffect(() => {
    void loadAbout()
  }, [loadAbout])
  const facts: [string, string][] = about
    ? [
        ['Paddock', about.version],
        ['Podman', about.podman ?? 'does not answer'],
        ['System', about.os],
        ['Electron', about.electron],
        ['Chromium', about.chrome],
        ['Node', about.node],
      ]
    : []
  return (
    <Panel title="About" actions={about && <CopyButton text={facts.map((fact) => fact.join(' ')).join('\n')} label="Copy the versions" />}>
      <Mark size={32} />
      <p>Paddock runs coding agents on your projects without letting them into your machine.</p>
      {error && <ErrorNotice what="The versions are not known." error={error} />}
      <Facts facts={facts} />
      <p className="quiet">Free software under the Apache License 2.0.</p>
    </Panel>
  )
}
