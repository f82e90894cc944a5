import type { Sandbox } from './sandbox.ts'

/** What a person's id or prefix stands for. */
export type IdMatch = { kind: 'one'; id: string } | { kind: 'several'; ids: string[] } | { kind: 'gone' } | { kind: 'unknown' }

/** As many digits as Podman shows: who gives that many has copied the id of a sandbox that existed. */
const copiedId = /^[0-9a-f]{12,64}$/

/** Finds the sandbox that an id or a unique prefix of one names. Pure. */
export function matchId(sandboxes: readonly Pick<Sandbox, 'id'>[], given: string): IdMatch {
  const ids = sandboxes.map(({ id }) => id).filter((id) => given !== '' && id.startsWith(given))
  if (ids.length === 1) return { kind: 'one', id: ids[0]! }
  if (ids.length > 1) return { kind: 'several', ids }
  return copiedId.test(given) ? { kind: 'gone' } : { kind: 'unknown' }
}
