import { createHash } from 'node:crypto'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeJson } from '../store/write-json.ts'
import type { Containerfile } from './containerfile.ts'

/** Raise it when the parser reads something differently: what was remembered before is then not found any more. */
const parserVersion = 2
const maxRemembered = 500

/**
 * Parses a Containerfile, or recalls how the same text was read before: the parser costs a tenth of a launch.
 * @param folder where readings are remembered, by content; may be deleted at any time
 * @throws {SyntaxError} naming the line
 */
export async function readParsed(folder: string, text: string, buildArgs: Readonly<Record<string, string>>): Promise<Containerfile> {
  const key = createHash('sha256').update(JSON.stringify([parserVersion, text, buildArgs])).digest('hex')
  const file = join(folder, `${key}.json`)
  const known = inMemory.get(file)
  if (known) return known
  const read = await readOrParse(folder, file, text, buildArgs)
  if (inMemory.size >= maxRemembered) inMemory.clear()
  inMemory.set(file, read)
  return read
}

const inMemory = new Map<string, Containerfile>()

async function readOrParse(folder: string, file: string, text: string, buildArgs: Readonly<Record<string, string>>): Promise<Containerfile> {
  const remembered = await readFile(file, 'utf8').then((json) => JSON.parse(json) as Remembered).catch(() => null)
  if (remembered) return { ...remembered, declaredArgs: new Set(remembered.declaredArgs), labels: new Map(remembered.labels) }
  const { parseContainerfile } = await import('./containerfile.ts')
  const parsed = parseContainerfile(text, buildArgs)
  await forgetIfMany(folder)
  // What cannot be remembered, on a full disk above all, is read again next time.
  await writeJson(file, { ...parsed, declaredArgs: [...parsed.declaredArgs], labels: [...parsed.labels] } satisfies Remembered).catch(() => {})
  return parsed
}

type Remembered = Omit<Containerfile, 'declaredArgs' | 'labels'> & { declaredArgs: string[]; labels: [string, string][] }

async function forgetIfMany(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  if (names.length > maxRemembered) await rm(folder, { recursive: true, force: true })
}
