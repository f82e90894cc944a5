import type { RunOption } from './run-flags.ts'

/** Where a sandbox with an allowlist finds its proxy: a port of its own loopback, the same in each. */
const portInside = 3128

/** pasta listens on the sandbox's loopback and leads to a port of this machine's, and nowhere else. Source: pasta(1), `-T`. */
export const proxyNetwork = (proxyPort: number) => `pasta:-T,${portInside}:${proxyPort}`

/** Whether a network is one of those. */
export const isProxyNetwork = (value: string) => new RegExp(`^pasta:-T,${portInside}:\\d+$`).test(value)

const proxy = `http://127.0.0.1:${portInside}`
const direct = 'localhost,127.0.0.1,::1'

/** Variables by which programs are told of a proxy; curl, and so git, read `http_proxy` in lower case only. */
const variables: Record<string, string> = {
  HTTP_PROXY: proxy,
  HTTPS_PROXY: proxy,
  http_proxy: proxy,
  https_proxy: proxy,
  NO_PROXY: direct,
  no_proxy: direct,
  // Node from 22.21 and 24.5 on: https://nodejs.org/api/cli.html#node_use_env_proxy1
  NODE_USE_ENV_PROXY: '1',
  // A JVM reads no other variable, and takes no comma.
  JAVA_TOOL_OPTIONS: ['http', 'https'].flatMap((scheme) => [`-D${scheme}.proxyHost=127.0.0.1`, `-D${scheme}.proxyPort=${portInside}`]).concat('-Dhttp.nonProxyHosts=localhost|127.*').join(' '),
}

/** What tells programs in a sandbox of its proxy, in place of the host's own proxy, which Podman would hand on. */
export function proxyEnvironment(): RunOption[] {
  return [{ flag: '--http-proxy', value: 'false' }, ...Object.entries(variables).map(([name, value]) => ({ flag: '--env', value: `${name}=${value}` }))]
}

/** Whether a variable of a launch is one of those. */
export const isProxyVariable = (assignment: string) => Object.entries(variables).some(([name, value]) => assignment === `${name}=${value}`)
