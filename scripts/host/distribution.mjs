import { readFileSync } from 'node:fs'

/**
 * What this machine runs, from os-release(5).
 *
 * @typedef {{ name: string, family: 'debian' | 'ubuntu' | 'other', codename: string | undefined }} Distribution
 * @returns {Distribution}
 */
export function readDistribution(file = '/etc/os-release') {
  try {
    return parseDistribution(readFileSync(file, 'utf8'))
  } catch {
    return { name: 'this system', family: 'other', codename: undefined }
  }
}

/**
 * `family` says whose archive the machine's packages come from: a derivative of Ubuntu is `ubuntu`, and `codename` is
 * then Ubuntu's, not the derivative's.
 */
export function parseDistribution(text) {
  const fields = {}
  for (const line of text.split('\n')) {
    const match = /^([A-Z_]+)=(?:"(.*)"|'(.*)'|(.*))$/.exec(line.trim())
    if (match) fields[match[1]] = match[2] ?? match[3] ?? match[4]
  }
  const like = [fields.ID, ...(fields.ID_LIKE ?? '').split(' ')]
  const family =
    fields.UBUNTU_CODENAME || like.includes('ubuntu') ? 'ubuntu' : like.includes('debian') ? 'debian' : 'other'
  return {
    name: fields.PRETTY_NAME ?? fields.ID ?? 'this system',
    family,
    codename: fields.UBUNTU_CODENAME || fields.DEBIAN_CODENAME || fields.VERSION_CODENAME || undefined,
  }
}
