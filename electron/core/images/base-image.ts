import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import type { CallContext } from '../../../shared/contract/contract.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { type ImageFacts } from '../engine/images.ts'
import type { Podman } from '../engine/podman.ts'
import { run } from '../process/run.ts'

/** The build argument by which a Containerfile takes its base. */
export const baseImageArg = 'BASE_IMAGE'

/** What profiles start from when nothing else is said; the same default stands in the Containerfiles. */
export const defaultBaseImage = 'docker.io/library/debian:trixie-slim'

/** A distribution whose archive can make a base image, by `ID` and `VERSION_CODENAME` of os-release(5). */
export interface Archive {
  id: 'debian' | 'ubuntu'
  suite: string
}

/** The Debian release that the bundled profiles are made for. */
const debianSuite = 'trixie'

let ownArchive: Promise<Archive | null> | undefined

/** The archive that this host's package manager already uses and trusts; null on other distributions. Read once. */
export function hostArchive(): Promise<Archive | null> {
  ownArchive ??= archiveOf('/etc/os-release')
  return ownArchive
}

/** The archive of the distribution that an os-release(5) file names. */
export async function archiveOf(osRelease: string): Promise<Archive | null> {
  const text = await readFile(osRelease, 'utf8').catch(() => '')
  const value = (key: string) => new RegExp(`^${key}="?([^"\\n]*)"?$`, 'm').exec(text)?.[1]
  if (value('ID') === 'debian') return { id: 'debian', suite: debianSuite }
  const codename = value('VERSION_CODENAME')
  return value('ID') === 'ubuntu' && codename ? { id: 'ubuntu', suite: codename } : null
}

/** Name of the base image that is made from an archive. */
export function archiveImage({ id, suite }: Archive): string {
  return `localhost/paddock-${id}:${suite}`
}

/** Images that may serve as the base, the preferred one first; a person's own choice has no alternative. */
export function baseImageCandidates(chosen: string | undefined, archive: Archive | null): string[] {
  if (chosen !== undefined) return [chosen]
  return archive ? [defaultBaseImage, archiveImage(archive)] : [defaultBaseImage]
}

/** The base to build from, as far as it can be told from what is in the storage; undefined when none is there yet. */
export function pickBaseImage(candidates: readonly string[], facts: ReadonlyMap<string, ImageFacts>): string | undefined {
  return candidates.length === 1 && candidates[0] !== defaultBaseImage ? candidates[0] : candidates.find((reference) => facts.has(reference))
}

/**
 * Gets a base image into the storage, the newest: pulls it, or makes it from the host's own archive when no registry
 * answers.
 * @param isHere whether the wanted one is in the storage already: then nothing is made in its place, and what cannot be
 * pulled from anywhere is left as it is
 * @returns its reference
 * @throws {PaddockError} `base-image-unavailable`
 */
export async function obtainBaseImage(podman: Podman, chosen: string | undefined, context: CallContext, isHere = false): Promise<string> {
  const wanted = chosen ?? defaultBaseImage
  if (isHere && wanted.startsWith('localhost/')) {
    context.onProgress({ kind: 'warning', text: `${wanted} was made on this machine: there is no newer one to pull.` })
    return wanted
  }
  context.onProgress({ kind: 'step', text: `Pulling the base image ${wanted}` })
  const pulled = await podman.try(['pull', '--quiet', '--retry', '0', wanted], { timeoutMs: 15 * 60_000, signal: context.signal })
  if (pulled.ended === 'cancelled') throw new PaddockError({ code: 'cancelled', message: 'Cancelled.' })
  if (pulled.exitCode === 0) return wanted
  const why = pulled.stderr.trim().split('\n').at(-1)?.replace(/^Error: /, '') ?? 'unknown reason'
  const archive = await hostArchive()
  if (chosen !== undefined || archive === null || isHere) {
    throw new PaddockError({
      code: 'base-image-unavailable',
      message: isHere ? `A newer ${wanted} cannot be pulled: ${why}.` : `The base image ${wanted} is not on this machine and cannot be pulled: ${why}.`,
      hint: isHere ? 'Check the network. The base image that is here was kept.' : 'Check the network and the name, or choose an image that is here with --base-image.',
      command: pulled.command,
      exitCode: pulled.exitCode,
      stderrTail: pulled.stderr.slice(-2_000),
    })
  }
  context.onProgress({ kind: 'warning', text: `${wanted} cannot be pulled; the base is made from this host’s ${archive.id} archive instead.` })
  await makeBaseImage(podman, archive, context)
  return archiveImage(archive)
}

const makeTimeoutMs = 20 * 60_000

/** Makes a minimal system from the archive, in a user namespace and without root, and imports it as an image. */
async function makeBaseImage(podman: Podman, archive: Archive, { signal, onProgress }: CallContext): Promise<void> {
  const tar = join(tmpdir(), `paddock-base-${randomUUID()}.tar`)
  const reference = archiveImage(archive)
  const onLine = (text: string) => onProgress({ kind: 'log', text })
  onProgress({ kind: 'step', text: `Making the base image ${reference} from the ${archive.suite} archive (about half a minute)` })
  try {
    const sources = await archiveSources(archive.suite)
    const made = await run(
      // Without unsafe-io every unpacked file is synced to disk: minutes in each later build, for an image made anew anyway.
      ['mmdebstrap', '--mode=unshare', '--variant=minbase', '--include=ca-certificates', '--dpkgopt=force-unsafe-io', archive.suite, tar, ...sources],
      { timeoutMs: makeTimeoutMs, signal, onLine },
    )
    if (made.ended !== 'exited' || made.exitCode !== 0) {
      throw new PaddockError({
        code: made.ended === 'cancelled' ? 'cancelled' : 'base-image-unavailable',
        message: made.exitCode === 127 ? 'No base image can be made: mmdebstrap is not installed.' : 'The base image could not be made from the archive.',
        hint: made.exitCode === 127 ? 'sudo apt install mmdebstrap, or run "npm run host".' : 'See what mmdebstrap said; is the archive reachable?',
        command: made.command,
        exitCode: made.exitCode,
        stderrTail: made.stderr.slice(-2_000),
      })
    }
    onProgress({ kind: 'step', text: `Importing ${reference}` })
    await podman.run(['import', '--quiet', '--change', 'CMD ["/bin/bash"]', tar, reference], { timeoutMs: makeTimeoutMs, signal })
  } finally {
    await rm(tar, { force: true })
  }
}

/** The archives of a suite at the mirrors that this host's apt uses; apt itself reads its sources, in every format. */
async function archiveSources(suite: string): Promise<string[]> {
  const listed = await run(['apt-get', 'indextargets', '--format', '$(REPO_URI) $(RELEASE) $(COMPONENT)', 'Created-By: Packages'], { timeoutMs: 20_000 })
  const own = /^VERSION_CODENAME=(.*)$/m.exec(await readFile('/etc/os-release', 'utf8'))?.[1] ?? suite
  const lines = listed.stdout.split('\n').map((line) => line.split(' '))
  const sources = new Set<string>()
  for (const [uri, release, component] of lines) {
    if (uri === undefined || component !== 'main') continue
    const pocket = release === own ? '' : release?.startsWith(`${own}-`) ? release.slice(own.length) : null
    if (pocket !== null) sources.add(`deb ${uri} ${suite}${pocket} main`)
  }
  if (sources.size > 0) return [...sources]
  throw new PaddockError({
    code: 'base-image-unavailable',
    message: `No base image can be made: apt knows no archive for ${own}.`,
    hint: 'Run "sudo apt update" and try again, or choose an image that is here with --base-image.',
    command: listed.command,
    exitCode: listed.exitCode,
    stderrTail: listed.stderr.slice(-2_000),
  })
}
