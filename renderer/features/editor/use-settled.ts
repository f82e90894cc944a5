import { startTransition, useEffect, useRef, useState } from 'react'

/** Typing pauses when no key came for so long, in ms: a hand's own pause between two keys is about as long. */
const pauseMs = 100

/**
 * What is read of a text while it is being written: the letter itself comes first, and what was written counts when the
 * keys pause. Whatever else changes beside the text counts at once.
 * @returns what counts, and a function by which a newer one counts at once
 */
export function useSettled<T extends { text: string }>(newest: T): [T, (newest: T) => void] {
  const [settled, setSettled] = useState(newest)
  const latest = useRef(newest)
  latest.current = newest
  const { text } = newest
  const isSettled = settled.text === text
  useEffect(() => {
    if (isSettled) return
    const timer = setTimeout(() => startTransition(() => setSettled(latest.current)), pauseMs)
    return () => clearTimeout(timer)
  }, [text, isSettled])
  return [isSettled ? newest : settled, setSettled]
}
