import { useActions, useApp } from '../store/context.tsx'

/** What a person sees who has no project yet: what Paddock does, and the one thing to do first. */
export function EmptyPage() {
  const actions = useActions()
  const hasProjects = useApp((state) => (state.projects?.length ?? 0) > 0)
  return (
    <div className="page" data-region>
      <div className="page-inner">
        <header>
          <h1>Open a project folder</h1>
          <p className="quiet">An agent gets this folder and nothing else of yours. {hasProjects ? 'Choose one in the sidebar, or open another.' : 'Drop a folder here, or choose one.'}</p>
        </header>
        <div className="actions">
          <button className="button primary" data-primary onClick={() => void actions.pickProject()}>
            Open a folder…
          </button>
        </div>
        {!hasProjects && (
          <ol className="lessons">
            <li>A profile says what is installed in the sandbox and how much of this machine it may use.</li>
            <li>Launch starts the profile on your project and shows its terminal. The first launch builds its image.</li>
            <li>The sandbox goes on when you close this window, and is here again when you come back.</li>
          </ol>
        )}
      </div>
    </div>
  )
}
