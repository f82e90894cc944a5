import * as z from 'zod/mini'
import { annotationsOf, lastValueOf, valuesOf, type RunOption } from './run-flags.ts'

/** The limits of a sandbox; null where its label sets none. */
export const capsSchema = z.object({
  /** Memory in MiB. */
  ramMib: z.nullable(z.number()),
  /** CPUs. */
  cpus: z.nullable(z.number()),
  /** Size of /tmp as the label spells it, e.g. `2048m`. */
  tmpSize: z.nullable(z.string()),
  /** Processes and threads at once. */
  pids: z.nullable(z.number()),
})
export type Caps = z.infer<typeof capsSchema>

export const noCaps: Caps = { ramMib: null, cpus: null, tmpSize: null, pids: null }

/** Reads the caps from the options of `podman run`. */
export function capsOf(options: readonly RunOption[]): Caps {
  const annotations = annotationsOf(options)
  const tmpSizes = valuesOf(options, '--tmpfs').map(tmpSizeOf)
  return {
    ramMib: wholeNumber(annotations.get('krun.ram_mib')),
    cpus: wholeNumber(annotations.get('krun.cpus')),
    tmpSize: tmpSizes.find((size) => size !== null) ?? null,
    pids: wholeNumber(lastValueOf(options, '--pids-limit')),
  }
}

function tmpSizeOf(tmpfs: string): string | null {
  const [path, options = ''] = tmpfs.split(':', 2)
  return path === '/tmp' ? (/(?:^|,)size=([^,]+)/.exec(options)?.[1] ?? null) : null
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^[1-9]\d*$/.test(text) ? Number(text) : null
}
