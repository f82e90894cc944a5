import { caMountPoint, caVariables } from '../../../shared/domain/ca-variables.ts'
import { isReadable } from '../files/may-access.ts'


/** CA bundles of the distributions: Debian and Arch, Fedora, openSUSE. */
const bundles = ['/etc/ssl/certs/ca-certificates.crt', '/etc/pki/tls/certs/ca-bundle.crt', '/etc/ssl/ca-bundle.pem']

/** The host's CA bundle: what `SSL_CERT_FILE` names, else the distribution's; undefined when there is none. */
export function hostCaBundle(environment: NodeJS.ProcessEnv = process.env): string | undefined {
  return [environment.SSL_CERT_FILE, ...bundles].find((path): path is string => path !== undefined && isReadable(path))
}

/**
 * The bundle that a sandbox has to trust as well, where the environment speaks of a proxy or an authority of a company's,
 * which may open TLS; null where it does not.
 */
export function companyCaBundle(environment: NodeJS.ProcessEnv): string | null {
  const isCompany = ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS', 'https_proxy', 'HTTPS_PROXY'].some((name) => environment[name])
  return (isCompany ? hostCaBundle(environment) : undefined) ?? null
}

/**
 * Options of `podman build` by which a build trusts what the host trusts, for a company proxy that opens TLS. Podman
 * itself passes `http_proxy` and its like.
 */
export function caBuildOptions(declaredArgs: ReadonlySet<string>, bundle: string | undefined): string[] {
  const wanted = caVariables.filter((name) => declaredArgs.has(name))
  if (wanted.length === 0 || bundle === undefined) return []
  return ['--volume', `${bundle}:${caMountPoint}:ro`, ...wanted.flatMap((name) => ['--build-arg', `${name}=${caMountPoint}`])]
}

/** The registries that need no credential of anybody's to read from. */
const publicRegistry = /^\/\/[a-z]+\.(npmjs|yarnpkg)\.(org|com)(\/|$)/

/**
 * The part of a person's npmrc that a build needs to reach a private registry: its address and the credentials for that
 * host. null for the public registry: then no credential of the person's enters a build that runs other people's code.
 */
export function npmrcForBuild(npmrc: string): string | null {
  const lines = npmrc.split(/\r?\n/).map((line) => line.trim())
  const registries = lines.filter((line) => /^(@[^:]+:)?registry\s*=/.test(line))
  const hosts = registries.flatMap((line) => /=\s*https?:(\/\/[^\s]+?)\/?$/.exec(line)?.[1] ?? []).filter((host) => !publicRegistry.test(host))
  if (hosts.length === 0) return null
  // A digit behind the colon is a port, and so another host's credential.
  const credentials = lines.filter((line) => hosts.some((host) => line.startsWith(host) && /^\/?:[^\d]/.test(line.slice(host.length))))
  return [...registries, ...credentials, ''].join('\n')
}
