import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Writes a value as JSON so that a reader finds the old file or the new one, never a part. The folder is made 0700. */
export async function writeJson(file: string, value: unknown): Promise<void> {
  const { default: writeFileAtomic } = await import('write-file-atomic')
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  await writeFileAtomic(file, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
}
