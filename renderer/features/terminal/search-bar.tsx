import { ArrowDown, ArrowUp, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'

export interface SearchBarProps {
  results: { at: number; count: number }
  onSearch: (text: string, direction: 'next' | 'previous', isTyping: boolean) => void
  onClose: () => void
}

/** Finds text in what the terminal has printed, from the end upwards. */
export function SearchBar({ results, onSearch, onClose }: SearchBarProps) {
  const [text, setText] = useState('')
  const input = useRef<HTMLInputElement>(null)
  return (
    <div
      className="bar search-bar"
      role="search"
      onKeyDown={({ key }) => {
        if (key === 'Escape') onClose()
      }}
    >
      <input
        ref={input}
        className="input"
        autoFocus
        value={text}
        aria-label="Search in the terminal"
        placeholder="Search"
        onChange={({ target }) => {
          setText(target.value)
          onSearch(target.value, 'previous', true)
        }}
        onKeyDown={({ key, shiftKey }) => {
          if (key === 'Enter') onSearch(text, shiftKey ? 'next' : 'previous', false)
        }}
      />
      <span className="quiet search-count" role="status">
        {text !== '' && (results.count === 0 ? 'Not found' : `${results.at} of ${results.count}`)}
      </span>
      <IconButton icon={ArrowUp} label="Previous match" keys="Enter" onClick={() => onSearch(text, 'previous', false)} />
      <IconButton icon={ArrowDown} label="Next match" keys="Shift+Enter" onClick={() => onSearch(text, 'next', false)} />
      <IconButton icon={X} label="Close the search" keys="Esc" onClick={onClose} />
    </div>
  )
}
