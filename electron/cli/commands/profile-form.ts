import { assignField, keyOf } from '../../../shared/domain/profile-form/assign-field.ts'
import { fieldInWords } from '../../../shared/domain/profile-form/field-words.ts'
import { hasErrors } from '../../../shared/domain/profile-form/lint/lint-profile.ts'
import { previewChange } from '../../../shared/domain/profile-form/preview-change.ts'
import { fieldNames, parseProfile } from '../../../shared/domain/profile-form/profile-form.ts'
import type { TextFinding } from '../../../shared/domain/text-finding.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { plain, printJson, printNote } from '../print.ts'
import type { Session } from '../session.ts'

/** Prints what the form shows of a profile. */
export async function showProfile(session: Session, name: string | undefined, isJson: boolean): Promise<void> {
  const opened = await session.call('profile.open', { name })
  const { values, label } = parseProfile(opened.text, opened)
  if (isJson || !process.stdout.isTTY) {
    const fields = Object.fromEntries(fieldNames.map((field) => [keyOf(field), values[field].kind === 'value' ? { value: values[field].value, inherited: values[field].isInherited } : { unsupported: values[field].why }]))
    return printJson({ name: opened.name, source: opened.source, file: opened.file, fields, label: { kind: label.kind, why: label.why, lines: label.lines.map(({ text }) => text) } })
  }
  const rows = fieldNames.map((field) => [keyOf(field), fieldInWords(field, values[field])] as const)
  const width = Math.max(...rows.map(([key]) => key.length))
  const lines = [...rows.map(([key, value]) => `${key.padEnd(width)}  ${plain(value)}`.trimEnd()), '', `run label (${label.kind})${label.why === null ? '' : `: ${plain(label.why)}`}`, ...label.lines.map(({ text }) => `  ${plain(text)}`)]
  process.stdout.write(`${plain(opened.file)}\n\n${lines.join('\n')}\n`)
}

/** Applies assignments one after the other and saves once, or nothing at all. */
export async function setFields(session: Session, name: string, assignments: readonly string[], isJson: boolean): Promise<void> {
  const opened = await session.call('profile.open', { name })
  let text = opened.text
  for (const assignment of assignments) {
    const result = assignField(text, assignment, opened.name, opened)
    if (!result.ok) throw new PaddockError({ code: 'usage', message: `${assignment}: ${result.why}`, hint: 'Nothing was changed.' })
    text = result.text
  }
  const preview = previewChange(opened.text, text)
  if (text === opened.text) return isJson ? printJson({ file: opened.file, isChanged: false, preview }) : printNote('It is so already; nothing was changed.')
  const saved = await session.call('profile.save', { name: opened.name, text, hash: opened.hash })
  if (saved.kind === 'conflict') {
    throw new PaddockError({ code: 'profile-refused', message: `${opened.file} was changed by someone else at the same moment; nothing was written.`, hint: 'Look at it and try again.' })
  }
  if (isJson) return printJson({ file: saved.file, isChanged: true, isCopy: saved.isCopy, preview })
  if (saved.isCopy) printNote(`Profile ${opened.name} comes with Paddock; a copy of your own was made, which counts from now on.`)
  printNote(preview.sentence)
  const { egress, allow } = parseProfile(text, opened).values
  if (assignments.includes('egress=allowlist') && egress.kind === 'value' && allow.kind === 'value') printNote(`Its sandboxes may reach ${allow.value.map(plain).join(', ') || 'nothing'}; allow+= and allow-= change that.`)
  process.stdout.write(`${plain(saved.file)}\n`)
}

/** Prints what is wrong with a profile. @returns 1 on errors */
export async function lintProfile(session: Session, name: string | undefined, isJson: boolean): Promise<number> {
  const { file, findings } = await session.call('profile.lint', { name })
  if (isJson) printJson(findings.map((finding) => ({ file, ...finding })))
  else for (const finding of findings) process.stdout.write(`${findingLine(file, finding)}\n`)
  return hasErrors(findings) ? 1 : 0
}

const findingLine = (file: string, { line, level, message, why }: TextFinding) => plain(`${file}:${line}: ${level}: ${message} ${why}`)
