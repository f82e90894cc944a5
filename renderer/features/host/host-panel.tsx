import { RotateCw } from 'lucide-react'
import { useEffect } from 'react'
import type { Check } from '../../../shared/domain/check.ts'
import { isRunnableFix } from '../../../shared/domain/runnable-fix.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { IconButton } from '../../ui/button.tsx'
import { CodeLine } from '../../ui/code-line.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { Panel } from '../panels/panel.tsx'
import './host.css'

const rank: Record<Check['status'], number> = { fail: 0, warn: 1, ok: 2 }
const words: Record<Check['status'], string> = { fail: 'does not work', warn: 'works less well', ok: 'works' }
const glyphs = { fail: 'broken', warn: 'warning', ok: 'fresh' } as const

/** What `paddock doctor` finds, the worst first, with what mends it. */
export default function HostPanel() {
  const checks = useApp((state) => state.checks)
  const error = useApp((state) => state.checksError)
  const isChecking = useApp((state) => state.isChecking)
  const { checkHost } = useActions()
  useEffect(() => {
    void checkHost()
  }, [checkHost])
  const sorted = [...(checks ?? [])].sort((a, b) => rank[a.status] - rank[b.status])
  return (
    <Panel title="Host" actions={<IconButton icon={RotateCw} label="Examine again" disabled={isChecking} onClick={() => void checkHost()} />}>
      <p className="quiet" role="status">
        {isChecking ? 'Examining this host…' : summary(sorted)}
      </p>
      {error && <ErrorNotice what="The host could not be examined." error={error} />}
      <ul className="checks">
        {sorted.map(({ name, status, found, fix }) => (
          <li key={name} className="check">
            <StateGlyph kind={glyphs[status]} />
            <div className="check-body">
              <h3>
                {name}
                <span className="sr-only">, {words[status]}</span>
              </h3>
              <p className="quiet selectable">{found}</p>
              {fix !== null && (isRunnableFix(fix) ? <CodeLine text={fix} label={`Copy the fix for ${name}`} /> : <p className="selectable">{fix}</p>)}
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function summary(checks: readonly Check[]): string {
  const faults = checks.filter(({ status }) => status === 'fail').length
  const warnings = checks.filter(({ status }) => status === 'warn').length
  if (checks.length === 0) return ''
  if (faults > 0) return faults === 1 ? 'One thing keeps sandboxes from working.' : `${faults} things keep sandboxes from working.`
  if (warnings > 0) return warnings === 1 ? 'Sandboxes work; one thing could be better.' : `Sandboxes work; ${warnings} things could be better.`
  return 'Everything that sandboxes need is there.'
}
