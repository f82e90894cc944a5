import { type DragEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { isHidden, isNameable, joinPath, parentPath } from '../../../shared/domain/guest-entry.ts'
import { plain } from '../../../shared/domain/plain-text.ts'
import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import { useActions, useApi, useApp } from '../../store/context.tsx'
import type { FilesAt } from '../../store/transfers-slice.ts'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { Button } from '../../ui/button.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { FileRow } from './file-row.tsx'
import { FilePreview } from './file-preview.tsx'
import { FilesBar } from './files-bar.tsx'
import { useFolder } from './use-folder.ts'

/** With so few the eye is quicker than a filter. */
const filterFrom = 24

/** A folder of a sandbox or a file in it, with the way there. */
export function FilesView({ sandbox, at, from }: { sandbox: Sandbox; at: FilesAt; from: string }) {
  const { id } = sandbox
  const { root, path, file } = at
  const place = { id, root, path }
  const actions = useActions()
  const api = useApi()
  const box = useRef<HTMLDivElement>(null)
  const filter = useRef<HTMLInputElement>(null)
  const [query, setQuery] = useState('')
  const [showsHidden, setShowsHidden] = useState(false)
  const [isOver, setOver] = useState(false)
  const { folder, isLooking, reload } = useFolder(place, file === null)
  const copiedIn = useApp(({ transfers }) => transfers.filter(({ sandboxId, direction, status }) => sandboxId === id && direction === 'in' && status !== 'running' && status !== 'asking').length)
  const seenCopies = useRef(copiedIn)
  useEffect(() => {
    if (copiedIn > seenCopies.current && file === null) reload()
    seenCopies.current = copiedIn
  }, [copiedIn, file, reload])
  useEffect(() => setQuery(''), [root, path])

  const entries = folder.entries ?? []
  const words = query.toLowerCase()
  const visible = entries.filter((entry) => (showsHidden || !isHidden(entry)) && (words === '' || entry.name.toLowerCase().includes(words)))
  const hidden = showsHidden ? 0 : entries.filter(isHidden).length
  const canFilter = entries.length >= filterFrom
  // Where the person came from, when that lies right below.
  const cameFrom = parentPath(from) === path && from !== '.' ? from.split('/').at(-1) : undefined

  // A list that comes while the panel has the focus takes it over, so that the arrows work at once.
  const isThere = folder.entries !== null && file === null
  useEffect(() => {
    const element = box.current
    if (isThere && element && (document.activeElement === document.body || document.activeElement?.matches('.panel') || element.contains(document.activeElement))) element.querySelector<HTMLElement>('[data-row][tabindex="0"]')?.focus()
  }, [isThere, folder.of])

  // What has no text of its own to take the focus must not lose the keys.
  useEffect(() => {
    if (file !== null) box.current?.focus()
  }, [file])

  const show = (next: Partial<FilesAt>) => actions.showFiles(id, { ...at, file: null, ...next })
  const up = () => (file !== null ? show({}) : path !== '.' && show({ path: parentPath(path) }))
  const onKey = (event: KeyboardEvent) => {
    const isTyping = event.target instanceof HTMLInputElement
    if (!isTyping && (event.key === 'Backspace' || (event.altKey && event.key === 'ArrowUp'))) {
      event.preventDefault()
      up()
    } else if (!isTyping && canFilter && event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.altKey && !event.metaKey) filter.current?.focus()
  }
  const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')
  const drop = async (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    setOver(false)
    const offer = await api.offerFiles([...event.dataTransfer.files])
    if (offer) await actions.copyIn(place, offer)
  }
  return (
    <div
      ref={box}
      className="files-view"
      tabIndex={-1}
      onKeyDown={onKey}
      onDragOver={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'copy'
        setOver(true)
      }}
      onDragLeave={({ relatedTarget, currentTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
      }}
      onDrop={(event) => void drop(event)}
    >
      <FilesBar sandbox={sandbox} at={at} isLooking={isLooking} showsHidden={showsHidden} onShowHidden={setShowsHidden} onReload={reload} />
      {file !== null && <FilePreview key={`${root} ${file}`} place={{ id, root, path: file }} onFolder={() => show({ path: file })} />}
      {file === null && (
        <>
          {canFilter && (
            <div className="files-filter">
              <input
                ref={filter}
                className="input"
                type="search"
                value={query}
                aria-label="Filter names"
                placeholder="Filter"
                onChange={({ target }) => setQuery(target.value)}
                onKeyDown={(event) => {
                  if (event.key === 'ArrowDown') {
                    event.preventDefault()
                    box.current?.querySelector<HTMLElement>('[data-row]')?.focus()
                  }
                }}
              />
            </div>
          )}
          {folder.error && (
            <div className="panel-note">
              <ErrorNotice what="The folder could not be read." error={folder.error}>
                <Button onClick={reload}>Try again</Button>
                {path !== '.' && <Button onClick={up}>Go up</Button>}
              </ErrorNotice>
            </div>
          )}
          {folder.entries === null && folder.error === null && <LookingNote />}
          {folder.entries !== null && visible.length === 0 && (
            <p className="panel-note quiet">{words !== '' ? 'Nothing is named so.' : hidden > 0 ? 'Nothing but hidden files.' : 'This folder is empty. Drop files here to copy them in.'}</p>
          )}
          {visible.length > 0 && (
            <RowList
              key={`${folder.of} ${words}`}
              className="file-list"
              label={path === '.' ? 'Files' : `Files in ${plain(path)}`}
              items={visible}
              keyOf={(entry) => (isNameable(entry) ? entry.name : `${entry.name} ${visible.indexOf(entry)}`)}
              selectedKey={cameFrom}
              isRevealed={cameFrom !== undefined}
              renderRow={(entry, row) => (
                <FileRow
                  entry={entry}
                  row={row}
                  onOpen={() => (entry.type === 'folder' ? show({ path: joinPath(path, entry.name) }) : show({ file: joinPath(path, entry.name) }))}
                  onDownload={
                    isNameable(entry) && (entry.type === 'file' || entry.type === 'folder')
                      ? () => void actions.download({ id, root, path: joinPath(path, entry.name) }, { isFolder: entry.type === 'folder', sizeBytes: entry.sizeBytes })
                      : null
                  }
                />
              )}
            />
          )}
          {(hidden > 0 || folder.isCut) && (
            <p className="files-foot quiet">
              {folder.isCut && <span>Only the first {entries.length.toLocaleString('en')} are shown.</span>}
              {hidden > 0 && (
                <button type="button" className="link-button" onClick={() => setShowsHidden(true)}>
                  Show {hidden} hidden
                </button>
              )}
            </p>
          )}
        </>
      )}
      {isOver && <div className="files-drop">Copy into {path === '.' ? (root === 'home' ? 'the home' : 'the project') : plain(path)}</div>}
    </div>
  )
}

/** Said only when it takes long enough to be asked about. */
function LookingNote() {
  return (
    <p className="panel-note quiet late" role="status">
      Looking…
    </p>
  )
}
