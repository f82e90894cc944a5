import { readFile } from 'node:fs/promises'

/** Where a Linux kernel names this boot of itself; see random(4). */
export const bootIdFile = '/proc/sys/kernel/random/boot_id'

/** The running kernel's boot id, a line with a UUID. */
export async function hostBootId(): Promise<string> {
  return readFile(bootIdFile, 'utf8')
}
