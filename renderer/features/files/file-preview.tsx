import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { GuestPlace } from '../../../shared/contract/panel-contract.ts'
import { fileSizeInWords, timeInWords } from '../../../shared/domain/file-words.ts'
import { type GuestPreview, previewBytes } from '../../../shared/domain/guest-entry.ts'
import { plain, plainLines } from '../../../shared/domain/plain-text.ts'
import type { ErrorReport } from '../../../shared/errors/paddock-error.ts'
import { useActions, useApi } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'

/** What is in a file of a sandbox: text as text, whatever it says, and words for the rest. */
export function FilePreview({ place, onFolder }: { place: GuestPlace; onFolder: () => void }) {
  const api = useApi()
  const box = useRef<HTMLPreElement>(null)
  const [found, setFound] = useState<GuestPreview | null>(null)
  const [error, setError] = useState<ErrorReport | null>(null)
  const [tries, setTries] = useState(0)
  const { id, root, path } = place
  const follow = useRef(onFolder)
  useEffect(() => {
    const abort = new AbortController()
    void api.call('files.open', { id, root, path }, { signal: abort.signal }).then((reply) => {
      if (abort.signal.aborted) return
      // A link to a folder that stays inside.
      if (reply.ok && reply.value.kind === 'folder') return follow.current()
      setError(reply.ok ? null : reply.error)
      setFound(reply.ok ? reply.value : null)
    })
    return () => abort.abort()
  }, [api, id, root, path, tries])
  const isText = found?.kind === 'text'
  useEffect(() => {
    if (isText) box.current?.focus()
  }, [isText])
  if (error)
    return (
      <div className="panel-note">
        <ErrorNotice what="The file could not be read." error={error}>
          <Button onClick={() => setTries(tries + 1)}>Try again</Button>
        </ErrorNotice>
      </div>
    )
  if (found === null) return <p className="panel-note quiet late">Reading…</p>
  if (found.kind === 'outside')
    return (
      <p className="panel-note selectable">
        This link leads to <span className="mono">{plain(found.target)}</span>, outside of the {root}. <span className="quiet">Such links are not followed here.</span>
      </p>
    )
  if (found.kind === 'special') return <p className="panel-note quiet">This is a pipe, a socket or a device: there is nothing to show.</p>
  if (found.kind === 'folder') return null
  return (
    <>
      <PreviewFacts place={place} found={found} />
      {found.kind === 'binary' ? (
        <p className="panel-note quiet">This is no text in UTF-8.</p>
      ) : (
        <pre ref={box} className="file-text" tabIndex={0} aria-label={`Text of ${plain(path)}`}>
          {plainLines(found.text)}
          {found.isCut && <span className="file-cut">{`\n… only the first ${fileSizeInWords(previewBytes)} are shown`}</span>}
        </pre>
      )}
    </>
  )
}

function PreviewFacts({ place, found }: { place: GuestPlace; found: Extract<GuestPreview, { kind: 'text' | 'binary' }> }) {
  const actions = useActions()
  return (
    <div className="file-facts quiet">
      <span className="grow">
        {fileSizeInWords(found.totalBytes)} · {timeInWords(new Date(found.modifiedAt), new Date())}
      </span>
      {found.kind === 'text' && !found.isCut && <CopyButton text={found.text} label="Copy the text" />}
      <Button look="quiet" icon={Download} onClick={() => void actions.download(place, { isFolder: false, sizeBytes: found.totalBytes })}>
        Save…
      </Button>
    </div>
  )
}
