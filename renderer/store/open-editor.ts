import type { ProfileText } from '../../shared/contract/profile-contract.ts'
import type { TextFinding } from '../../shared/domain/text-finding.ts'

/** A profile's Containerfile in the window. Texts are without the file's own line ends. */
export interface OpenEditor {
  name: string
  source: ProfileText['source']
  file: string
  eol: '\n' | '\r\n'
  /** What the file held when it was last read or saved. */
  saved: string
  hash: string
  text: string
  /** The run label of the profiles below, and the text that it was found for. */
  inherited: { label: string | null; text: string }
  /** What only the profile's folder can tell; places are of `text`. */
  fileFindings: readonly TextFinding[]
  /** What the file holds since somebody else changed it; `theirs` is null when it is gone. */
  conflict: { theirs: string | null; hash: string; eol: OpenEditor['eol'] } | null
  isSaving: boolean
}

export const isDirty = ({ text, saved }: Pick<OpenEditor, 'text' | 'saved'>) => text !== saved
