import type { Edit } from '../containerfile/edit.ts'
import { isRefusal, type Refusal } from '../containerfile/glyphs.ts'

/** All edits together, or the first refusal. */
export function joinEdits(parts: readonly (Edit[] | Refusal)[]): Edit[] | Refusal {
  return parts.find((part): part is Refusal => isRefusal(part)) ?? (parts as readonly Edit[][]).flat()
}
