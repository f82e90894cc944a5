const unitBytes: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

/** Reads a size as people write one: `4 GiB`, `512m`, `1.5 GB`; binary units, whatever the letters. null for anything else. Pure. @returns bytes */
export function readSize(text: string, bareUnit: 'b' | 'm' = 'b'): number | null {
  const match = /^\s*(\d{1,12}(?:[.,]\d{1,3})?)\s*(?:([kmg])(?:i?b)?|b|bytes)?\s*$/i.exec(text)
  if (!match) return null
  const hasUnit = /[a-z]\s*$/i.test(text)
  const unit = match[2]?.toLowerCase() ?? (hasUnit || bareUnit === 'b' ? '' : bareUnit)
  const bytes = Number(match[1]!.replace(',', '.')) * unitBytes[unit]!
  return Number.isInteger(bytes) && bytes > 0 ? bytes : null
}

/** A size without rounding, in the largest unit that divides it: `4 GiB`, `1536 MiB`. Pure. */
export function exactSize(bytes: number): string {
  const [name, unit] = ([['GiB', 1024 ** 3], ['MiB', 1024 ** 2], ['KiB', 1024]] as const).find(([, size]) => bytes % size === 0) ?? ['bytes', 1]
  return `${bytes / unit} ${name}`
}

/** A size as `--tmpfs` takes it: `4g`, `1536m`. Pure. */
export function tmpfsSize(bytes: number): string {
  const [letter, unit] = ([['g', 1024 ** 3], ['m', 1024 ** 2], ['k', 1024]] as const).find(([, size]) => bytes % size === 0) ?? ['', 1]
  return `${bytes / unit}${letter}`
}
