/** Shapes of states: each tells them apart without its colour. */
export type Glyph = 'fresh' | 'stale' | 'missing' | 'broken' | 'working' | 'warning' | 'risky' | 'ended'

/** A state as a shape; the word for it stands beside, so it is hidden from screen readers. */
export function StateGlyph({ kind }: { kind: Glyph }) {
  return (
    <svg className={`glyph glyph-${kind}`} viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      {shapes[kind]}
    </svg>
  )
}

const ring = <circle cx="8" cy="8" r="4.25" fill="none" stroke="currentColor" strokeWidth="1.5" />

const triangle = <path d="M8 3.25 13.25 12.5H2.75zM8 6.75v2.5M8 11v.01" fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinejoin="round" strokeLinecap="round" />

const shapes: Record<Glyph, React.ReactNode> = {
  fresh: <circle cx="8" cy="8" r="4" fill="currentColor" />,
  stale: (
    <>
      {ring}
      <path d="M8 4.5a3.5 3.5 0 0 0 0 7z" fill="currentColor" />
    </>
  ),
  missing: ring,
  ended: <rect x="4.75" y="4.75" width="6.5" height="6.5" rx="1" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  broken: <path d="M4.5 4.5l7 7M11.5 4.5l-7 7" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />,
  warning: triangle,
  risky: triangle,
  working: <path d="M8 3.75a4.25 4.25 0 1 1-4.25 4.25" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />,
}
