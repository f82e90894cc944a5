/** Rows drawn beyond the edges, so that a quick scroll shows no gap. */
const margin = 8

export interface Viewport {
  /** All in px. */
  scrollTop: number
  height: number
  rowHeight: number
  count: number
}

/** Which rows are in sight: `first` up to but without `end`. Pure. */
export function visibleRows({ scrollTop, height, rowHeight, count }: Viewport): { first: number; end: number } {
  const end = Math.min(count, Math.ceil((Math.max(0, scrollTop) + height) / rowHeight) + margin)
  return { first: Math.min(end, Math.max(0, Math.floor(scrollTop / rowHeight) - margin)), end }
}
