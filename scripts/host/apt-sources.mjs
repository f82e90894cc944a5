import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * One repository of sources.list(5).
 *
 * @typedef {{ uris: string[], suites: string[], components: string[], signedBy: string | undefined, isTrusted: boolean }} Source
 */

/** Reads every binary repository that this machine's apt uses. @returns {Source[]} */
export function readAptSources(folder = '/etc/apt') {
  const files = [join(folder, 'sources.list'), ...listFiles(join(folder, 'sources.list.d'))]
  return files.flatMap((file) => {
    if (file.endsWith('.list')) return parseOneLineSources(read(file))
    return file.endsWith('.sources') ? parseDeb822Sources(read(file)) : []
  })
}

/** The one-line format: `deb [options] uri suite component…`. @returns {Source[]} */
export function parseOneLineSources(text) {
  return text.split('\n').flatMap((line) => {
    const match = /^\s*deb\s+(?:\[([^\]]*)\]\s*)?(\S+)\s+(\S+)\s*([^#]*)/.exec(line)
    if (!match) return []
    const options = Object.fromEntries(
      (match[1] ?? '')
        .trim()
        .split(/\s+/)
        .map((option) => option.split(/=(.*)/)),
    )
    return [source([match[2]], [match[3]], words(match[4]), options['signed-by'], options.trusted)]
  })
}

/** The deb822 format: stanzas of fields; a field goes on in lines that start with a blank. @returns {Source[]} */
export function parseDeb822Sources(text) {
  const withoutComments = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
  return withoutComments.split(/\n\s*\n/).flatMap((stanza) => {
    const fields = {}
    for (const line of stanza.replace(/\n[ \t]+/g, ' ').split('\n')) {
      const match = /^([A-Za-z-]+):\s*(.*)$/.exec(line)
      if (match) fields[match[1].toLowerCase()] = match[2]
    }
    const isOff = ['no', 'false', '0'].includes(fields.enabled?.trim().toLowerCase())
    if (isOff || !words(fields.types).includes('deb')) return []
    return [
      source(words(fields.uris), words(fields.suites), words(fields.components), fields['signed-by'], fields.trusted),
    ]
  })
}

function source(uris, suites, components, signedBy, trusted) {
  // A key that is written into the file itself is no path.
  const keyFile = signedBy?.trim().startsWith('/') ? signedBy.trim() : undefined
  return { uris, suites, components, signedBy: keyFile, isTrusted: trusted?.trim() === 'yes' }
}

/**
 * Where this machine gets its distribution's packages from, and its security updates if it does.
 *
 * @param {Source[]} sources
 * @param {string | undefined} codename of the distribution that runs here
 * @param {(file: string) => string} readList reads a list that `mirror+file:` names
 * @returns {{ main?: { uri: string, source: Source }, security?: { uri: string, source: Source } }}
 */
export function pickMirrors(sources, codename, readList = read) {
  const find = (accepts) => {
    for (const candidate of sources) {
      if (!candidate.components.includes('main') || !candidate.suites.some(accepts)) continue
      const uri = candidate.uris.flatMap((each) => resolve(each, readList))[0]
      if (uri) return { uri, source: candidate }
    }
    return undefined
  }
  return {
    main: find((suite) => suite === codename) ?? find((suite) => suite === 'stable' || suite === 'oldstable'),
    security: find((suite) => suite === `${codename}-security` || suite === `${codename}/updates`),
  }
}

/** The addresses behind one URI that a program other than this machine's apt can use. */
function resolve(uri, readList) {
  const list = /^mirror\+file:(?:\/\/)?(\/.*)$/.exec(uri)?.[1]
  if (list)
    return readList(list)
      .split('\n')
      .map((line) => line.trim().split(/\s+/)[0])
      .filter((line) => line && !line.startsWith('#'))
  return /^(https?|ftp|file|copy|tor\+https?):/.test(uri) ? [uri] : []
}

/**
 * The settings that decide whether this machine's apt reaches its mirrors: proxies, CA files, checks switched off.
 * mmdebstrap has an apt of its own and needs them too.
 *
 * @param {string} dump what `apt-config dump` prints
 * @returns {string[]} `Name "value";` lines
 */
export function pickAptSettings(dump) {
  return dump.split('\n').filter((line) => {
    const match = /^Acquire::(?:(?:https?|ftp)::|Check-Valid-Until |Check-Date |Retries |ForceIPv[46] ).*"(.*)";$/.exec(
      line,
    )
    return Boolean(match?.[1])
  })
}

function words(text) {
  return (text ?? '').split(/\s+/).filter(Boolean)
}

function listFiles(folder) {
  try {
    return readdirSync(folder)
      .sort()
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
