import { decodeCsv } from './csv.ts'
import { type RunOption, valuesOf } from './run-flags.ts'

/** What `--volume` and `--mount` name on the host, as the label spells it. */
export interface MountSource {
  source: string
  /** False for the name of a volume. */
  isPath: boolean
  /** True for a pattern (`type=glob`), which stands for whatever it matches at launch. */
  isPattern?: boolean
}

/** Sources of all mounts, and the folders that an overlay (`:O,upperdir=…`) or a volume's own options bring in. */
export function mountSources(options: readonly RunOption[]): MountSource[] {
  return [...valuesOf(options, '--volume').flatMap(ofVolume), ...valuesOf(options, '--mount').flatMap(ofMount)]
}

const pathStart = /^[/.~$]/

function ofVolume(value: string): MountSource[] {
  const [source = '', destination, ...rest] = value.split(':')
  // A single word is the place of an anonymous volume.
  if (destination === undefined) return []
  return [{ source, isPath: pathStart.test(source) }, ...paths(rest.join(':').split(','), ['upperdir', 'workdir'])]
}

function ofMount(value: string): MountSource[] {
  const fields = decodeCsv(value)
  const type = fields.findLast((field) => field.startsWith('type='))?.slice('type='.length) ?? 'volume'
  const sources = paths(fields, ['source', 'src'])
  if (type === 'glob') return sources.map((found) => ({ ...found, isPattern: /[*?[\\]/.test(found.source) }))
  if (type !== 'volume') return type === 'bind' ? sources : []
  const named = sources.map(({ source }) => ({ source, isPath: pathStart.test(source) }))
  return [...named, ...paths(fields.map((field) => field.replace(/^volume-opt=/, '')), ['device'])]
}

function paths(fields: readonly string[], keys: readonly string[]): MountSource[] {
  return fields.flatMap((field) => {
    const at = field.indexOf('=')
    return keys.includes(field.slice(0, at)) ? [{ source: field.slice(at + 1), isPath: true }] : []
  })
}

/**
 * A host path with `.`, `..` and doubled slashes resolved as text.
 * @returns null when `..` leads out of a folder whose name is only known at launch, and for a relative path
 */
export function resolveLabelPath(source: string): string | null {
  // Each variable that holds an absolute path is one part; a second slash before it means nothing.
  const path = source.replace(/^~(?=\/|$)/, '$HOME').replace(/\$\{?(HOME|PWD)\}?/g, '/$$$1')
  if (!path.startsWith('/')) return null
  const parts: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (/^\$/.test(parts.pop() ?? '')) return null
  }
  return `/${parts.join('/')}`
}

const home = String.raw`(\$HOME|home/[^/]+|var/home/[^/]+|Users/[^/]+|root)`
const paddockHome = new RegExp(`^/${home}/\\.local/share/paddock/homes/[^/]+$`)

/** Paths whose mount hands the sandbox the person's identity, the container engine or the host. */
const forbidden: [RegExp, string][] = [
  [/^\/$/, 'the whole file system of the host'],
  [new RegExp(`^/${home}$`), 'your whole home folder'],
  [new RegExp(`^/${home}/(\\.ssh|\\.gnupg|\\.aws|\\.azure|\\.kube|\\.docker|\\.config/gcloud|\\.netrc|\\.git-credentials)(/|$)`), 'your keys'],
  [/\.sock(et)?$/, 'a socket of the host, such as the container engine’s, which is as good as your account'],
  [/^\/(run|var\/run)(\/|$)/, 'the host’s runtime sockets'],
  [/^\/(proc|sys|dev)(\/|$)/, 'the host’s processes and devices'],
  [/^\/tmp\/\.X11-unix(\/|$)/, 'your screen and keyboard'],
  [/^\/(etc|boot|home|root|var|usr|lib|lib64|bin|sbin|opt|srv|mnt|media|tmp|Users|var\/home|var\/lib|var\/tmp)$/, 'a folder of the host’s system'],
  [new RegExp(`^/${home}/\\.`), 'hidden files of your home, where keys, settings and programs lie'],
]

/** How dangerous a mount is, and what it gives away; null for the project, a home of Paddock’s and the name of a volume. */
export function judgeMount({ source, isPath, isPattern }: MountSource): { level: 'high' | 'medium'; what: string } | null {
  if (!isPath) return null
  if (isPattern) return { level: 'high', what: 'whatever the pattern matches at launch' }
  const path = resolveLabelPath(source)
  if (path === null) return { level: 'high', what: 'a folder that its spelling hides: it is relative, or leads out of another' }
  if (path === '/$PWD' || paddockHome.test(path)) return null
  const found = forbidden.find(([pattern]) => pattern.test(path))
  if (found) return { level: 'high', what: found[1] }
  if (path.startsWith('/$PWD/')) return { level: 'medium', what: 'what lies there at launch: an agent may have put a link in its place' }
  return { level: 'medium', what: 'a folder of yours beside the project' }
}
