import { useApp } from '../store/context.tsx'

/** Tells screen readers what was announced last. */
export function Announcer() {
  const announcement = useApp((state) => state.announcement)
  return (
    <div className="sr-only" role="status">
      {announcement}
    </div>
  )
}
