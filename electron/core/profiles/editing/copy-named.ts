import { type FileHandle, mkdir, open, realpath, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { copySources } from '../../../../shared/domain/profile-form/copy-sources.ts'
import { readDocument } from '../../../../shared/domain/profile-form/containerfile-document.ts'
import { openInside } from '../../files/open-inside.ts'
import { findCopied } from '../inputs.ts'
import { refused } from './read-text.ts'

/** A Containerfile, and the folder that its COPY lines mean, which has to lie in the project. Absolute paths. */
interface NamedFiles {
  text: string
  context: string
  project: string
}

const maxFiles = 1000
const maxFileBytes = 64 * 1024 * 1024

/**
 * Copies the files that a Containerfile names. An agent may be at work in their folder: what is checked is what was opened.
 * @returns notes on those that were left out
 * @throws {PaddockError} `profile-refused`
 */
export async function copyNamed({ text, context, project }: NamedFiles, target: string): Promise<string[]> {
  const notes: string[] = []
  const own = ['paddock-entrypoint', 'post-create', 'Containerfile']
  const folder = await openInside(await realpath(project), context)
  if (folder === null) throw refused(context, `it is not in ${project}`)
  try {
    const root = await folder.realPath()
    for (const { path } of copySources(readDocument(text))) {
      if (/^(\.?\/?)*$/.test(path)) {
        notes.push(`COPY ${path} means the whole folder, which was not copied: name what is needed.`)
        continue
      }
      const files = (await findCopied(folder.path, [path]).catch(changed(join(context, path)))).filter((file) => !own.includes(file))
      if (files.length > maxFiles) throw refused(join(context, path), `it stands for more than ${maxFiles} files`)
      for (const file of files) await copyOne(root, file, target)
    }
    return notes
  } finally {
    await folder.close()
  }
}

function changed(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    throw refused(path, `it cannot be looked up (${error.code})`)
  }
}

async function copyOne(root: string, file: string, target: string): Promise<void> {
  const path = join(root, file)
  const folder = await openInside(root, dirname(path))
  if (folder === null) throw refused(dirname(path), `it is not in ${root}`)
  try {
    const source = await folder.file(basename(path)).catch((error: NodeJS.ErrnoException) => {
      throw refused(path, error.code === 'ELOOP' ? 'it is a link' : error.code === 'ENOENT' ? 'it does not exist' : error.message)
    })
    await copyOpen(source, path, join(target, file)).finally(() => source.close())
  } finally {
    await folder.close()
  }
}

async function copyOpen(source: FileHandle, path: string, to: string): Promise<void> {
  const found = await source.stat()
  if (!found.isFile()) throw refused(path, 'it is no file')
  if (found.size > maxFileBytes) throw refused(path, `it has more than ${maxFileBytes / 1024 ** 2} MiB`)
  await mkdir(dirname(to), { recursive: true })
  const copy = await open(to, 'wx', found.mode & 0o777).catch((error: NodeJS.ErrnoException) => {
    // Named twice.
    if (error.code !== 'EEXIST') throw error
  })
  // It may grow meanwhile.
  if (copy) await writeFile(copy, source.createReadStream({ start: 0, end: maxFileBytes - 1, autoClose: false })).finally(() => copy.close())
}
