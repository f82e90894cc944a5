/** The sign of the app, a piece of fence: two posts and two rails that form a P. */
export function Mark({ size }: { size: number }) {
  return (
    <svg className="mark" viewBox="2 2 11 12" width={size} height={size} aria-hidden="true">
      <path className="mark-rails" d="M4 4h7v2H4zM4 8h7v2H4z" />
      <path d="M3 3l1-1 1 1v11H3zM10 3l1-1 1 1v7h-2z" />
    </svg>
  )
}
