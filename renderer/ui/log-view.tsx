import { useEffect, useLayoutEffect, useRef } from 'react'
import { CopyButton } from './copy-button.tsx'

/** So near to the end a reader is still following, in px. */
const nearEnd = 24

/** The end of a log. It follows what comes unless the person has scrolled up to read. */
export function LogView({ lines, droppedLines, isBusy }: { lines: readonly string[]; droppedLines: number; isBusy: boolean }) {
  const box = useRef<HTMLPreElement>(null)
  const isFollowing = useRef(true)
  useEffect(() => {
    const element = box.current!
    const onScroll = () => {
      isFollowing.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    const observer = new ResizeObserver(() => {
      if (isFollowing.current) element.scrollTop = element.scrollHeight
    })
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [])
  useLayoutEffect(() => {
    if (isFollowing.current) box.current!.scrollTop = box.current!.scrollHeight
  }, [lines])
  const text = lines.join('\n')
  return (
    <div className="log">
      <pre ref={box} tabIndex={0} aria-label="Build log" role="log" aria-live="off">
        {droppedLines > 0 && `… ${droppedLines} earlier lines are not kept\n`}
        {text || (isBusy ? 'Nothing was printed yet.' : 'Nothing was printed.')}
      </pre>
      {lines.length > 0 && <CopyButton text={text} label="Copy the log" />}
    </div>
  )
}
