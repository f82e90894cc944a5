import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import { durationInWords, sizeInWords } from '../../../shared/domain/words.ts'
import { useApp } from '../../store/context.tsx'
import { useNow } from '../../ui/use-now.ts'

/** Uptime, CPU and memory as they are now. */
export function StatusFigures({ sandbox, onOpen }: { sandbox: Sandbox; onOpen: () => void }) {
  const { id, startedAt, caps } = sandbox
  const stats = useApp((state) => state.stats[id])
  const isShown = useApp(({ view }) => view.kind === 'sandbox' && view.id === id)
  const now = useNow(10_000, isShown)
  return (
    <>
      {startedAt && (
        <button type="button" className="status-item" title="Running for" onClick={onOpen}>
          {durationInWords(now - Date.parse(startedAt))}
        </button>
      )}
      {stats && (
        <>
          <button type="button" className="status-item" title={caps.cpus === null ? 'CPUs in use' : `CPUs in use, of ${caps.cpus}`} onClick={onOpen}>
            {stats.cpu.toFixed(1)} CPU
          </button>
          <button
            type="button"
            className="status-item"
            title={caps.ramMib === null ? 'Memory in use' : `Memory in use, of ${sizeInWords(caps.ramMib * 1024 ** 2)}`}
            onClick={onOpen}
          >
            {sizeInWords(stats.memoryBytes)}
          </button>
        </>
      )}
      {caps.unenforced.length > 0 && (
        <button type="button" className="status-item warn" onClick={onOpen}>
          limits not enforced
        </button>
      )}
    </>
  )
}
