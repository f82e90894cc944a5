/**
 * The items whose text holds every word of the query, the best first: a text that begins with it, then a word that does,
 * then any place. Equal ones keep their order. Pure.
 */
export function rankMatches<T>(items: readonly T[], query: string, textOf: (item: T) => string): T[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...items]
  return items
    .map((item) => ({ item, score: scoreOf(textOf(item).toLowerCase(), words) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ item }) => item)
}

function scoreOf(text: string, words: readonly string[]): number {
  let total = 0
  for (const word of words) {
    const at = text.indexOf(word)
    if (at < 0) return 0
    if (at === 0) total += 3
    else total += /[^\p{L}\p{N}]/u.test(text[at - 1]!) ? 2 : 1
  }
  return total
}
