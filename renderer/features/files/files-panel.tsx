import { useEffect, useRef } from 'react'
import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import { useApp } from '../../store/context.tsx'
import { Panel } from '../panels/panel.tsx'
import { SandboxTabs } from '../panels/sandbox-tabs.tsx'
import { Unreachable } from '../panels/unreachable.tsx'
import { useSandboxName } from '../panels/use-sandbox-name.ts'
import { FilesView } from './files-view.tsx'
import { TransferList } from './transfer-list.tsx'
import './files.css'

/** The files of a sandbox's project and home, as the sandbox shows them. */
export default function FilesPanel({ id }: { id: string }) {
  const sandbox = useApp(({ sandboxes }) => sandboxes?.find((one) => one.id === id))
  const isReading = useApp(({ filesAt }) => filesAt[id]?.file != null)
  return (
    <Panel title={`Files of ${useSandboxName(id)}`} heading={<SandboxTabs id={id} shown="files" />} isWide={isReading}>
      <div className="files">
        <Unreachable sandbox={sandbox} what="Its files">
          {(running) => <FilesOf sandbox={running} />}
        </Unreachable>
        <TransferList id={id} />
      </div>
    </Panel>
  )
}

function FilesOf({ sandbox }: { sandbox: Sandbox }) {
  const { id, project } = sandbox
  const at = useApp(({ filesAt }) => filesAt[id]) ?? { root: project === null ? ('home' as const) : ('project' as const), path: '.', file: null }
  // Where the person came from is where they go on when they step up again.
  const last = useRef(at)
  const from = last.current.path
  useEffect(() => {
    last.current = at
  })
  return <FilesView sandbox={sandbox} at={at} from={from} />
}
