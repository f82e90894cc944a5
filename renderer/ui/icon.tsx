import type { LucideIcon } from 'lucide-react'

/** One size and stroke for every icon; the words beside it carry the meaning. */
export function Icon({ of: Drawing, className }: { of: LucideIcon; className?: string }) {
  return <Drawing size={16} strokeWidth={1.5} aria-hidden className={className} />
}
