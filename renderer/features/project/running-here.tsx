import { useActions, useApp, useAppParts } from '../../store/context.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { describeIsolation } from '../../../shared/domain/isolation-words.ts'
import { launchNameOf } from '../../../shared/domain/try-folder.ts'
import { durationInWords } from '../../../shared/domain/words.ts'
import { useNow } from '../../ui/use-now.ts'

/** The sandboxes that run on this project already. */
export function RunningHere({ folder }: { folder: string }) {
  const running = useAppParts(({ sandboxes }) => (sandboxes ?? []).filter((one) => one.project !== null && launchNameOf(one.project) === folder && one.state === 'running'))
  const settings = useApp((state) => state.settings)
  const obstacle = useApp((state) => state.obstacle)
  const { showSandbox } = useActions()
  const now = useNow(30_000, running.length > 0)
  if (running.length === 0) return null
  return (
    <section className="running-here" aria-labelledby="running-here">
      <h2 id="running-here">Running</h2>
      <ul>
        {running.map(({ id, profile, isolation, startedAt }) => {
          const { word, isWeaker } = describeIsolation(isolation, settings, obstacle)
          return (
            <li key={id}>
              <button type="button" className="row-main running-row" onClick={() => void showSandbox(id)}>
                <StateGlyph kind="fresh" />
                <span>{profile}</span>
                <span className={isWeaker ? 'warn' : 'quiet'}>{word}</span>
                <span className="quiet grow">{startedAt && durationInWords(now - Date.parse(startedAt))}</span>
                <span className="link-text">Show the terminal</span>
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
