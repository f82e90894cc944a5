import { Failure } from '../process/failure.mjs'
import { pickMirrors } from './apt-sources.mjs'
import { archiveKeys } from './facts.mjs'

/** The release whose Podman is new enough, and where in the archive it lies. */
const releases = {
  debian: { suite: 'trixie', components: 'main', securitySuites: ['trixie-security'], updateSuites: [] },
  ubuntu: {
    suite: 'resolute',
    components: 'main universe',
    securitySuites: ['resolute-security'],
    updateSuites: ['resolute-updates'],
  },
}

/**
 * Where the private Podman's packages come from: a newer release in the very mirror that this machine uses.
 *
 * @param {import('./distribution.mjs').Distribution} distribution
 * @param {import('./apt-sources.mjs').Source[]} sources
 * @returns {{ suite: string, lines: string[] }} the suite, and one-line apt sources
 * @throws {Failure} when the machine has no source for its own archive
 */
export function toolchainSource(distribution, sources, readList) {
  const release = releases[distribution.family]
  const { main, security } = pickMirrors(sources, distribution.codename, readList)
  if (!release || !main) {
    throw new Failure('there is no place to get a newer Podman from', {
      why: `${distribution.name} has none that is new enough, and apt has no source for the archive of ${distribution.codename ?? 'this release'}.`,
      fix: 'Add your distribution’s main archive to the apt sources, install Podman 5 or newer yourself, or name one with PADDOCK_PODMAN.',
    })
  }
  const line = (mirror, suite) =>
    `deb ${options(mirror.source, distribution.family)} ${mirror.uri} ${suite} ${release.components}`
  return {
    suite: release.suite,
    lines: [
      line(main, release.suite),
      ...release.updateSuites.map((suite) => line(main, suite)),
      ...(security ? release.securitySuites.map((suite) => line(security, suite)) : []),
    ],
  }
}

function options(source, family) {
  if (source.isTrusted) return '[trusted=yes]'
  // A company mirror may be signed anew; the archive's own keys know the newer release best.
  const keys = [archiveKeys(family), ...(source.signedBy ? source.signedBy.split(/[\s,]+/) : [])]
  return `[signed-by=${[...new Set(keys)].join(',')}]`
}
