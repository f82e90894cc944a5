import { type KeyboardEvent, type ReactNode, type Ref, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { visibleRows } from './visible-rows.ts'

export const rowHeightPx = 28

export interface RowListProps<T> {
  label: string
  items: readonly T[]
  keyOf: (item: T) => string
  /** Draws a row; the element that takes the focus gets `tabIndex` and the attribute `data-row`. */
  renderRow: (item: T, row: { tabIndex: number; 'data-row': number }) => ReactNode
  /** The row to come to with Tab before any was focused. */
  selectedKey?: string | undefined
  /** The list begins with that row in sight. */
  isRevealed?: boolean
  className?: string
  ref?: Ref<HTMLUListElement>
}

/** A list of rows of one height. Only those in sight are drawn; arrows, Home and End move between them. */
export function RowList<T>({ label, items, keyOf, renderRow, selectedKey, isRevealed = false, className = '' }: RowListProps<T>) {
  const list = useRef<HTMLUListElement>(null)
  const [scroll, setScroll] = useState({ top: 0, height: 600 })
  const [active, setActive] = useState<number | null>(null)
  const measure = useCallback(() => {
    const element = list.current
    if (element) setScroll({ top: element.scrollTop, height: element.clientHeight })
  }, [])
  useLayoutEffect(() => {
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(list.current!)
    return () => observer.disconnect()
  }, [measure])

  const selected = items.findIndex((item) => keyOf(item) === selectedKey)
  const stop = Math.min(active ?? Math.max(0, selected), items.length - 1)
  const { first, end } = visibleRows({ scrollTop: scroll.top, height: scroll.height, rowHeight: rowHeightPx, count: items.length })

  const revealed = useRef(isRevealed ? selected : -1)
  useLayoutEffect(() => {
    const element = list.current!
    const top = revealed.current * rowHeightPx
    if (top < element.clientHeight - rowHeightPx) return
    element.scrollTop = top - element.clientHeight / 2
    measure()
  }, [measure])

  const move = (event: KeyboardEvent) => {
    const to = { ArrowDown: stop + 1, ArrowUp: stop - 1, Home: 0, End: items.length - 1 }[event.key]
    if (to === undefined || !(event.target as HTMLElement).matches('[data-row]')) return
    event.preventDefault()
    const next = Math.max(0, Math.min(items.length - 1, to))
    const element = list.current!
    const top = next * rowHeightPx
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + rowHeightPx > element.scrollTop + element.clientHeight) element.scrollTop = top + rowHeightPx - element.clientHeight
    // The row must be there before it can take the focus.
    flushSync(() => {
      measure()
      setActive(next)
    })
    element.querySelector<HTMLElement>(`[data-row="${next}"]`)?.focus()
  }

  return (
    <ul
      ref={list}
      className={`row-list ${className}`}
      aria-label={label}
      onScroll={measure}
      onKeyDown={move}
      onFocus={({ target }) => {
        const row = target.getAttribute('data-row')
        if (row !== null) setActive(Number(row))
      }}
    >
      {first > 0 && <li role="presentation" aria-hidden style={{ height: first * rowHeightPx }} />}
      {items.slice(first, end).map((item, at) => (
        <li key={keyOf(item)} aria-setsize={items.length} aria-posinset={first + at + 1}>
          {renderRow(item, { tabIndex: first + at === stop ? 0 : -1, 'data-row': first + at })}
        </li>
      ))}
      {end < items.length && <li role="presentation" aria-hidden style={{ height: (items.length - end) * rowHeightPx }} />}
    </ul>
  )
}
