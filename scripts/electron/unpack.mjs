import { chmodSync, createWriteStream, mkdirSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'

/**
 * Unpacks the chosen entries of a zip archive, with the modes they have in it. Needs the installed dependencies.
 *
 * @param {string} archive
 * @param {string} folder
 * @param {(name: string) => string | undefined} placeOf where an entry goes below `folder`; undefined leaves it out
 */
export async function unpack(archive, folder, placeOf) {
  const { openPromise } = await import('yauzl')
  const zip = await openPromise(archive)
  for await (const entry of zip.eachEntry()) {
    const place = placeOf(entry.fileName)
    if (place === undefined || place.endsWith('/')) continue
    const file = resolve(join(folder, place))
    if (!file.startsWith(resolve(folder) + sep)) throw new Error(`${entry.fileName} would lie outside of ${folder}`)
    mkdirSync(dirname(file), { recursive: true })
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(file))
    // The upper half holds the Unix mode: APPNOTE.TXT 4.4.15.
    chmodSync(file, (entry.externalFileAttributes >>> 16) & 0o777 || 0o644)
  }
}
