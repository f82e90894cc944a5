import { CornerDownRight, Download, File, FileQuestion, Folder } from 'lucide-react'
import { memo } from 'react'
import { fileSizeInWords, timeInWords } from '../../../shared/domain/file-words.ts'
import { type GuestEntry, isHidden, isNameable } from '../../../shared/domain/guest-entry.ts'
import { plain } from '../../../shared/domain/plain-text.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

const icons = { file: File, folder: Folder, link: CornerDownRight, other: FileQuestion } as const
const words = { link: 'link', other: 'special' } as const

interface FileRowProps {
  entry: GuestEntry
  row: { tabIndex: number; 'data-row': number }
  onOpen: () => void
  /** Null for what is not copied out. */
  onDownload: (() => void) | null
}

/** A name with its size and time. Whatever is in it is shown as text. */
export const FileRow = memo(({ entry, row, onOpen, onDownload }: FileRowProps) => {
  const { name, type, sizeBytes, modifiedAt } = entry
  const shown = plain(name)
  const at = new Date(modifiedAt)
  return (
    <div className="row file-row">
      <button type="button" className="row-main" {...row} disabled={!isNameable(entry)} title={isNameable(entry) ? shown : `${shown}: its name is no valid text`} onClick={onOpen}>
        <Icon of={icons[type]} className="quiet" />
        <span className={`file-name ellipsis ${isHidden(entry) ? 'quiet' : ''}`}>{shown}</span>
        <span className="file-size">{type === 'file' ? fileSizeInWords(sizeBytes) : type === 'folder' ? <span className="sr-only">folder</span> : words[type]}</span>
        <time className="file-time" dateTime={modifiedAt} title={at.toLocaleString('en')}>
          {timeInWords(at, new Date())}
        </time>
      </button>
      {onDownload && <IconButton className="row-more" icon={Download} label={`Save ${shown} on this machine`} tabIndex={row.tabIndex} onClick={onDownload} />}
    </div>
  )
}, (a, b) => a.entry === b.entry && a.row.tabIndex === b.row.tabIndex && a.row['data-row'] === b.row['data-row'])
