import { lstat } from 'node:fs/promises'
import { join, normalize } from 'node:path'
import { copySources } from '../../../../shared/domain/profile-form/copy-sources.ts'
import { type Found, lintProfile, placeFindings } from '../../../../shared/domain/profile-form/lint/lint-profile.ts'
import { parseProfile } from '../../../../shared/domain/profile-form/profile-form.ts'
import type { TextFinding } from '../../../../shared/domain/text-finding.ts'
import { findCopied } from '../inputs.ts'

/** All findings of a Containerfile: those of its text, and those that only its folder can tell. */
export async function lintWithFiles(text: string, folder: string): Promise<TextFinding[]> {
  const form = parseProfile(text)
  const sources = copySources(form.source)
  const isMissing = await Promise.all(sources.map(async ({ path }) => !(await isThere(folder, path))))
  const missing = sources.filter((_source, index) => isMissing[index]).map(({ path, start, end }): Found => ({
    level: 'error', rule: 'missing-file', start, end, fix: null,
    message: `${path} is not in the profile’s folder.`,
    why: 'The build stops where it is copied.',
  }))
  return placeFindings(text, [...lintProfile(form), ...missing])
}

async function isThere(folder: string, path: string): Promise<boolean> {
  // For a builder the profile's folder is the root.
  const inside = join(folder, normalize(`/${path}`))
  if (await lstat(inside).then(() => true, () => false)) return true
  return (await findCopied(folder, [path])).length > 0
}
