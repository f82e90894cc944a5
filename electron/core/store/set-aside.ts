import { rename } from 'node:fs/promises'

/** Moves a damaged file out of the way, beside its place. Another reader may have been faster. @returns where it is now */
export async function setAside(file: string): Promise<string> {
  const aside = `${file}.damaged-${new Date().toISOString().replaceAll(':', '')}`
  await rename(file, aside).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return aside
}
