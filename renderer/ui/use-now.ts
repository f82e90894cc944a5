import { useEffect, useState } from 'react'

/** The time, drawn anew every so often while somebody looks. @returns milliseconds since 1970 */
export function useNow(everyMs: number, isRunning = true): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isRunning) return
    setNow(Date.now())
    const timer = setInterval(() => !document.hidden && setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs, isRunning])
  return now
}
