import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { join, normalize, relative } from 'node:path'
import type { Definition } from './definition.ts'

/**
 * Everything that decides what an image contains, by name: `file:PATH` → digest, `image:REFERENCE` → image id,
 * `arg:NAME` → value.
 */
export type Inputs = Record<string, string>

const digestLength = 16
/** Files that are open together; a profile may copy thousands. */
const readAtOnce = 16

/** Digests of the Containerfile, its ignore file and the files that it copies. */
export async function fileInputs({ profile, text, containerfile }: Definition): Promise<Inputs> {
  const inputs: Inputs = { 'file:Containerfile': digest(text) }
  const found = await findCopied(profile.folder, containerfile.copied)
  const ignoreFiles = ['.containerignore', '.dockerignore']
  const paths = new Set([...found.filter((path) => path !== 'Containerfile'), ...(found.length > 0 ? ignoreFiles : [])])
  const sorted = [...paths].sort()
  for (let at = 0; at < sorted.length; at += readAtOnce) {
    const some = sorted.slice(at, at + readAtOnce)
    const values = await Promise.all(some.map((path) => fileDigest(join(profile.folder, path))))
    some.forEach((path, index) => values[index] !== null && (inputs[`file:${path}`] = values[index]!))
  }
  return inputs
}

/** Paths of all files and links that COPY sources stand for: files, whole folders and patterns. No link is followed. */
export async function findCopied(folder: string, copied: readonly string[]): Promise<string[]> {
  // For a builder the profile's folder is the root, and `..` leads no higher.
  const inside = copied.map((path) => normalize(`/${path}`).replace(/^\/+/, '').replace(/\/+$/, ''))
  const areFiles = await Promise.all(inside.map((path) => lstat(join(folder, path)).then((stat) => !stat.isDirectory(), () => false)))
  const patterns = inside.filter((_path, index) => !areFiles[index]).map(patternOf)
  const files = inside.filter((_path, index) => areFiles[index])
  if (patterns.length === 0) return files
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => relative(folder, join(parentPath, name)))
  return [...files, ...paths.filter((path) => patterns.some((pattern) => pattern.test(path)))]
}

/** A COPY source as a pattern of the files in it. Builders use Go's path/filepath.Match. */
function patternOf(path: string): RegExp {
  if (path === '' || path === '.') return /^/
  const source = path.replace(/\\(.)|\[(?:\\.|[^\]\\])+\]|[*?]|[^\w/]/gu, (part, escaped?: string) => {
    if (part === '*') return '[^/]*'
    if (part === '?') return '[^/]'
    if (escaped === undefined && part.length > 2 && part.startsWith('[')) return part
    return `\\u{${(escaped ?? part).codePointAt(0)!.toString(16)}}`
  })
  try {
    return new RegExp(`^${source}(/|$)`, 'u')
  } catch {
    // No builder takes a pattern that is none either.
    return /(?!)/
  }
}

/** Content and rights, which COPY keeps both: a file that only you may read is closed to `ai` in the image. null for a folder and for what does not exist. */
async function fileDigest(path: string): Promise<string | null> {
  try {
    const stat = await lstat(path)
    if (stat.isSymbolicLink()) return digest(`link ${await readlink(path)}`)
    if (!stat.isFile()) return null
    const hash = createHash('sha256')
    for await (const piece of createReadStream(path)) hash.update(piece as Buffer)
    return hash.update(rightsOf(stat.mode)).digest('hex').slice(0, digestLength)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** A letter for each of the two modes that a checkout has, octal digits for the others. */
function rightsOf(mode: number): string {
  const rights = mode & 0o7777
  return rights === 0o644 ? '-' : rights === 0o755 ? 'x' : rights.toString(8)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digestLength)
}

/** One hash over all inputs: the label `dev.paddock.source`. */
export function sourceHash(inputs: Inputs): string {
  const sorted = Object.entries(inputs).sort(([a], [b]) => (a < b ? -1 : 1))
  return `sha256:${createHash('sha256').update(JSON.stringify(sorted)).digest('hex')}`
}
