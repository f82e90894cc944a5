import { homedir } from 'node:os'
import * as z from 'zod/mini'
import { type Ended, run } from '../../process/run.ts'

/** What the registry says of a package. */
export interface PackageFacts {
  /** Every version and when it was published. */
  published: Map<string, Date>
  /** The version that the publisher calls the latest. */
  latest: string
  /** Of the latest version. */
  integrity: string
}

const distSchema = z.object({ integrity: z.string() })
const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  'dist-tags': z.object({ latest: z.string() }),
  time: z.record(z.string(), z.string()),
  /** npm prints the only one of a list by itself. */
  versions: z.union([z.array(z.string()), z.string()]),
  dist: distSchema,
})
const versionSchema = z.object({ name: z.string(), version: z.string(), dist: distSchema, deprecated: z.optional(z.union([z.string(), z.boolean()])) })

/** A registry that answers at all does so long before. */
const timeoutMs = 30_000

/** By SRI: 64 bytes in base64. */
const sha512 = /^sha512-[A-Za-z0-9+/]{86}==$/
const packageName = /^(@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/

/** How npm is asked; another one in tests. */
export interface NpmOptions {
  signal?: AbortSignal
  env?: Record<string, string | undefined>
  timeoutMs?: number
}

/**
 * Asks the person's own registry, through npm: its configuration, login, proxy and CA apply.
 * @throws {Error} with a clause of why there is no answer to trust
 */
export async function viewPackage(name: string, options: NpmOptions = {}): Promise<PackageFacts> {
  const facts = packageSchema.safeParse(await view(name, name, options))
  if (!facts.success || facts.data.name !== name || facts.data.version !== facts.data['dist-tags'].latest) throw new Error('the registry’s answer is not what npm gives for a package')
  const { versions, time, version, dist } = facts.data
  const published = new Map<string, Date>()
  for (const each of [versions].flat()) {
    const date = new Date(time[each] ?? '')
    if (!Number.isNaN(date.getTime())) published.set(each, date)
  }
  return { published, latest: version, integrity: demandIntegrity(dist.integrity) }
}

/** The integrity of one version; null for one that its publisher withdrew. */
export async function viewVersion(name: string, version: string, options: NpmOptions = {}): Promise<string | null> {
  const facts = versionSchema.safeParse(await view(name, `${name}@${version}`, options))
  if (!facts.success || facts.data.name !== name || facts.data.version !== version) throw new Error('the registry’s answer is not what npm gives for a version')
  return facts.data.deprecated ? null : demandIntegrity(facts.data.dist.integrity)
}

function demandIntegrity(integrity: string): string {
  if (sha512.test(integrity)) return integrity
  throw new Error(`the registry gives an integrity that is no SHA-512: ${integrity.slice(0, 100)}`)
}

async function view(name: string, spec: string, { signal, env, timeoutMs: limitMs = timeoutMs }: NpmOptions): Promise<unknown> {
  if (!packageName.test(name)) throw new Error(`"${name}" is not the name of an npm package`)
  // In the home: an .npmrc of the folder that the person stands in, perhaps an agent's, has no say.
  const ended = await run(['npm', 'view', spec, '--json', '--fetch-retries=0', '--prefer-online', '--no-update-notifier', '--loglevel=error'], {
    timeoutMs: limitMs, cwd: homedir(), ...(signal && { signal }), ...(env && { env }),
  })
  if (ended.exitCode !== 0) throw new Error(whyFailed(ended, limitMs))
  try {
    return JSON.parse(ended.stdout)
  } catch {
    throw new Error('the registry’s answer is not JSON')
  }
}

function whyFailed({ ended, exitCode, stderr, stdout }: Ended, limitMs: number): string {
  if (ended === 'timed-out') return `the registry did not answer within ${limitMs / 1000} seconds`
  if (ended === 'cancelled') return 'it was cancelled'
  if (exitCode === 127) return 'npm is not installed'
  const said = summaryOf(stdout) ?? /npm error (?!code |A complete log)(.*)/.exec(stderr)?.[1]
  return said ?? `npm ended with exit code ${exitCode}`
}

/** With --json, npm puts its error on stdout. */
function summaryOf(stdout: string): string | null {
  try {
    const parsed = z.object({ error: z.object({ summary: z.string() }) }).safeParse(JSON.parse(stdout))
    return parsed.success && parsed.data.error.summary !== '' ? parsed.data.error.summary.split('\n')[0]! : null
  } catch {
    return null
  }
}
