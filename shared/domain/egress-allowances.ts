import { type HostRule, parseHostRule } from './egress-host.ts'
import { type EgressList, egressLists, findEgressList, listSign } from './egress-lists.ts'
import { type EgressPlace, parsePlace } from './egress-places.ts'

/** One word of a label's `egress-allow`. */
export type Allowance =
  /** For `open`: an address that would be closed. */
  | { kind: 'place'; place: EgressPlace }
  /** For `allowlist`. */
  | { kind: 'host'; rule: HostRule }
  | { kind: 'list'; list: EgressList }

/**
 * Reads `@LIST`, a host as `parseHostRule` does, or an address as `parsePlace` does.
 * @returns the allowance, or why it is none: the end of a sentence
 */
export function parseAllowance(text: string): Allowance | string {
  if (text.startsWith(listSign)) {
    const list = findEgressList(text.slice(listSign.length))
    return list ? { kind: 'list', list } : `there is no such list; there are ${egressLists.map(({ name }) => listSign + name).join(', ')}`
  }
  if (/^\[|^[\d.]+(\/\d+)?(:|$)/.test(text)) {
    const place = parsePlace(text)
    return typeof place === 'string' ? place : { kind: 'place', place }
  }
  const rule = parseHostRule(text)
  return typeof rule === 'string' ? rule : { kind: 'host', rule }
}

/** The places among words of a label; what is none is left out. */
export function placesOf(words: readonly string[]): EgressPlace[] {
  return words.map(parseAllowance).flatMap((each) => (typeof each !== 'string' && each.kind === 'place' ? [each.place] : []))
}
