import type { ErrorReport } from '../../../shared/errors/paddock-error.ts'
import { useActions } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'

/** A profile that cannot be shown. What was written of it and not saved is still the person's. */
export function UnopenedProfile({ name, error, draft }: { name: string; error: ErrorReport; draft: string | null }) {
  const { editProfile, dropDraft } = useActions()
  return (
    <div className="page unopened">
      <h1>{name}</h1>
      <ErrorNotice what="The profile cannot be edited." error={error}>
        <Button onClick={() => void editProfile(name)}>Try again</Button>
      </ErrorNotice>
      {draft !== null && (
        <section className="unopened-draft" aria-label="Unsaved text">
          <header className="unopened-head">
            <h2 className="grow">What you had not saved</h2>
            <CopyButton text={draft} label="Copy the text" />
            <Button onClick={() => void dropDraft(name)}>Throw away</Button>
          </header>
          <pre tabIndex={0}>{draft}</pre>
        </section>
      )}
    </div>
  )
}
