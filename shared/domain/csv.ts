/** A line of CSV by RFC 4180, as `--mount` takes it. */
export function encodeCsv(fields: readonly string[]): string {
  return fields.map((field) => (/[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(',')
}

/** The fields of such a line; a quote that is not closed reaches to the end. */
export function decodeCsv(line: string): string[] {
  const fields = ['']
  let isQuoted = false
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!
    const last = fields.length - 1
    if (char === '"' && isQuoted && line[at + 1] === '"') {
      fields[last] += '"'
      at++
    } else if (char === '"') isQuoted = !isQuoted
    else if (char === ',' && !isQuoted) fields.push('')
    else fields[last] += char
  }
  return fields
}
