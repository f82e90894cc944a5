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
    throw new PaddockError({
      code: 'sandbox-unknown',
      message: match.kind === 'several' ? `"${word}" fits ${match.ids.length} sandboxes.` : `There is no sandbox "${word}".`,
      hint: match.kind === 'several' ? 'Give more of the id.' : '"paddock ls" lists the sandboxes.',
    })
  })
  return sandboxes.filter(({ id }) => ids.includes(id))
}
