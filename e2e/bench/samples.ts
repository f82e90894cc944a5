/** The middle of some figures. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 0 ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[Math.floor(middle)]!
}

/** What two programs took, sample by sample. */
export interface Pairs {
  ours: number[]
  theirs: number[]
}

/**
 * Measures two things in turn, so that what else the machine does meets both: A B, B A, A B … One of each is thrown away
 * first, since caches are cold only once.
 */
export async function measureInTurn(count: number, ours: () => Promise<number> | number, theirs: () => Promise<number> | number): Promise<Pairs> {
  await ours()
  await theirs()
  const pairs: Pairs = { ours: [], theirs: [] }
  for (let at = 0; at < count; at++) {
    if (at % 2 === 0) pairs.ours.push(await ours())
    pairs.theirs.push(await theirs())
    if (at % 2 === 1) pairs.ours.push(await ours())
  }
  return pairs
}

/** The median of each pair's ratio: a machine that is busy for a while is so for both halves of a pair. */
export function ratioOf({ ours, theirs }: Pairs): number {
  return median(ours.map((value, at) => value / theirs[at]!))
}

/** Milliseconds on the clock that pages and programs of this machine share. */
export const nowMs = () => performance.timeOrigin + performance.now()
