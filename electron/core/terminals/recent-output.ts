import type { Podman } from '../engine/podman.ts'

/** As many lines as a kept screen holds; Podman reads the log from its end. */
const lines = 5_000
const maxCharacters = 8 * 1024 * 1024
const timeoutMs = 5_000

/**
 * What a sandbox's terminal showed last, as Podman logged it: whoever attaches gets only what comes after.
 * @returns nothing when it cannot be told, or is too much for its number of lines
 */
export async function recentOutput(podman: Podman, sandboxId: string): Promise<string> {
  const { stdout, ended, exitCode } = await podman.try(['logs', '--tail', String(lines), sandboxId], { timeoutMs, maxOutput: maxCharacters })
  return ended === 'exited' && exitCode === 0 ? stdout : ''
}
