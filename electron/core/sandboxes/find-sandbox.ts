import { matchId } from '../../../shared/domain/match-id.ts'
import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'

/**
 * Finds sandboxes by id or unique prefix; ids of sandboxes that are gone are left out, so that asking twice succeeds.
 * @throws {PaddockError} `sandbox-unknown` for a word that names none or several
 */
export function findSandboxes(sandboxes: readonly Sandbox[], given: readonly string[]): Sandbox[] {
  const ids = given.flatMap((word) => {
    const match = matchId(sandboxes, word)
    if (match.kind === 'one') return [match.id]
    if (match.kind === 'gone') return []
    throw match.kind === 'several' ? severalFit(word, match.ids) : noSandbox(word)
  })
  return sandboxes.filter(({ id }) => ids.includes(id))
}

/** More than a person compares. */
const maxNamed = 5

/** The error for the beginning of more ids than one. */
export function severalFit(word: string, ids: readonly string[]): PaddockError {
  const named = ids.slice(0, maxNamed).map((id) => id.slice(0, Math.max(12, word.length + 1)))
  return new PaddockError({ code: 'sandbox-unknown', message: `"${word}" fits ${ids.length} sandboxes.`, hint: `Give more of the id: ${named.join(', ')}${ids.length > maxNamed ? ', …' : ''}` })
}

/** The error for a word that is the beginning of no id. */
export function noSandbox(word: string): PaddockError {
  return new PaddockError({ code: 'sandbox-unknown', message: `There is no sandbox "${word}".`, hint: '"paddock ls" lists the sandboxes.' })
}
