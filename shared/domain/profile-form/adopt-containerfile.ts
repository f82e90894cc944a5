import { applyEdits } from '../containerfile/edit.ts'
import { isRefusal } from '../containerfile/glyphs.ts'
import { profileOfImage } from '../profile.ts'
import { argumentsOf, imageStages, readDocument } from './containerfile-document.ts'
import { hardenedLabelInstruction } from './hardened-label.ts'
import { insertAfter } from './instruction-edits.ts'
import { findRunLabel } from './run-label-source.ts'

/** A Containerfile made fit for a sandbox. */
export interface Adopted {
  text: string
  /** Whether the profile's folder needs Paddock's entrypoint. */
  needsEntrypoint: boolean
  /** What a person should know. */
  notes: string[]
}

const account = `RUN { ! other=$(id -nu 1000 2>/dev/null) || userdel --remove "$other"; } \\
 && useradd --uid 1000 --user-group --no-create-home --shell /bin/bash ai \\
 && install -d -o ai -g ai -m 0700 /home/ai`

/**
 * Adds to a Containerfile from elsewhere what a sandbox needs: the user ai, the entrypoint that hardens a microVM, and
 * a run label with every control. One that is built on a profile of Paddock's has all of it. Pure.
 */
export function adoptContainerfile(text: string): Adopted {
  const document = readDocument(text)
  const root = imageStages(document).at(-1)
  if (!root || document.obstacle !== null) return { text, needsEntrypoint: false, notes: [`Nothing was added: ${document.obstacle ?? 'the file has no FROM'}.`] }
  if (profileOfImage(root.image) !== null) return { text, needsEntrypoint: false, notes: [] }
  const label = findRunLabel(document)
  const own = document.stages.at(-1)!.instructions
  const notes = ['The user ai, Paddock’s entrypoint and a run label were added at the end; the image needs bash, useradd and setpriv.']
  for (const keyword of ['ENTRYPOINT', 'CMD', 'USER']) {
    const last = own.findLast((instruction) => instruction.keyword === keyword)
    if (last) notes.push(`${keyword} ${argumentsOf(document, last)} no longer counts: a sandbox starts with Paddock’s entrypoint and a shell, as ai.`)
  }
  const isRoot = !own.some(({ keyword }) => keyword === 'USER')
  const added = [
    `${isRoot ? '' : 'USER root\n'}# What every sandbox of Paddock’s needs.\n${account}`,
    'COPY --chmod=0755 paddock-entrypoint /usr/local/bin/paddock-entrypoint',
    'ENV LANG=C.UTF-8 USER=ai LOGNAME=ai SHELL=/bin/bash\nWORKDIR /home/ai\nENTRYPOINT ["/usr/local/bin/paddock-entrypoint"]\nCMD ["/bin/bash", "--login"]',
    ...(label ? [] : [hardenedLabelInstruction()]),
  ]
  if (label) notes.push(isRefusal(label) ? `Its run label cannot be read: ${label.why}.` : 'Its own run label was kept.')
  const edit = insertAfter(document, own.at(-1) ?? document.stages.at(-1)!.from, added.join('\n\n'))
  return { text: applyEdits(text, [{ ...edit, text: `${document.eol}${edit.text}` }]), needsEntrypoint: true, notes }
}
