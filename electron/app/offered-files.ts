import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'
import type { Offer } from '../../shared/contract/panel-contract.ts'
import { PaddockError } from '../../shared/errors/paddock-error.ts'

/** Files of this machine that the person dropped on the window or chose in a dialog, under words that the page can name. */
export interface OfferedFiles {
  /** @returns null for no file at all */
  offer(paths: readonly string[]): Offer | null
  /** @throws {PaddockError} `usage` for a word that stands for nothing any more */
  pathsOf(offerId: string): readonly string[]
}

/** A page that is loaded anew forgets its words; those of the last drops are kept. */
const maxOffers = 8

export function createOfferedFiles(): OfferedFiles {
  const offers = new Map<string, readonly string[]>()
  return {
    offer(paths) {
      if (paths.length === 0) return null
      const offerId = randomUUID()
      offers.set(offerId, paths)
      for (const oldest of [...offers.keys()].slice(0, -maxOffers)) offers.delete(oldest)
      return { offerId, names: paths.map((path) => basename(path)) }
    },
    pathsOf(offerId) {
      const paths = offers.get(offerId)
      if (paths) return paths
      throw new PaddockError({ code: 'usage', message: 'What was dropped is not known any more.', hint: 'Drop it again.' })
    },
  }
}
