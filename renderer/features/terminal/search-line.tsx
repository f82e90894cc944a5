import { ChevronDown, ChevronUp, Search, X } from 'lucide-react'
import { useState } from 'react'
import { icon } from '../../ui/icon.ts'

interface SearchLineProps {
  /** @returns whether anything was found */
  onSearch: (text: string, isForward: boolean) => boolean
  onClose: () => void
}

/** Searches the terminal: Enter for what comes next, Shift+Enter for what came before. */
export function SearchLine({ onSearch, onClose }: SearchLineProps) {
  const [text, setText] = useState('')
  const [isFound, setFound] = useState(true)
  const find = (wanted: string, isForward: boolean) => setFound(wanted === '' || onSearch(wanted, isForward))
  return (
    <div
      className="line"
      role="search"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onClose()
      }}
    >
      <Search {...icon} />
      <input
        className="input grow"
        autoFocus
        aria-label="Search in the terminal"
        aria-invalid={!isFound}
        value={text}
        onChange={({ target }) => {
          setText(target.value)
          find(target.value, false)
        }}
        onKeyDown={({ key, shiftKey }) => key === 'Enter' && find(text, !shiftKey)}
      />
      <span className="quiet" role="status">
        {isFound ? '' : 'Not found'}
      </span>
      <button className="icon-button" aria-label="Previous" title="Previous (Shift+Enter)" onClick={() => find(text, false)}>
        <ChevronUp {...icon} />
      </button>
      <button className="icon-button" aria-label="Next" title="Next (Enter)" onClick={() => find(text, true)}>
        <ChevronDown {...icon} />
      </button>
      <button className="icon-button" aria-label="Close the search" title="Close (Esc)" onClick={onClose}>
        <X {...icon} />
      </button>
    </div>
  )
}
