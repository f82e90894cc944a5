import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostsOnMachine } from '../../../shared/domain/egress-lists.ts'
import { run } from '../process/run.ts'

/** Asks this machine for hosts that lists stand for; each is asked for once, when a label first names it. */
export interface MachineHosts {
  /** @param sources what is to be asked for; the others stay empty */
  of(sources: readonly (keyof HostsOnMachine)[]): Promise<HostsOnMachine>
}

const npmTimeoutMs = 10_000

/**
 * @param environment where npm is found, and its configuration
 * @param aptFolder with sources.list(5)
 */
export function createMachineHosts(environment: NodeJS.ProcessEnv = process.env, aptFolder = '/etc/apt'): MachineHosts {
  const asked: Partial<Record<keyof HostsOnMachine, Promise<string[]>>> = {}
  const ask = { npm: () => npmHosts(environment), apt: () => aptHosts(aptFolder) }
  const known = async (source: keyof HostsOnMachine, isWanted: boolean) => (isWanted ? (asked[source] ??= ask[source]()) : [])
  return {
    async of(sources) {
      const [npm, apt] = await Promise.all([known('npm', sources.includes('npm')), known('apt', sources.includes('apt'))])
      return { npm, apt }
    },
  }
}

/** The registry that npm is set to; none where there is no npm. Source: npm-config(1). */
async function npmHosts(environment: NodeJS.ProcessEnv): Promise<string[]> {
  // Not where the person stands: a project's own .npmrc, which a sandbox can write, must open nothing.
  const { stdout } = await run(['npm', 'config', 'get', 'registry'], { cwd: '/', env: environment, timeoutMs: npmTimeoutMs })
  return hostsIn(stdout)
}

/** The archives that apt reads, in both formats of sources.list(5); none on other distributions. */
async function aptHosts(folder: string): Promise<string[]> {
  const names = await readdir(join(folder, 'sources.list.d')).catch(() => [])
  const files = [join(folder, 'sources.list'), ...names.filter((name) => /\.(list|sources)$/.test(name)).map((name) => join(folder, 'sources.list.d', name))]
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')))
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => /^\s*(deb\s|URIs:)/i.test(line))
  return hostsIn(lines.join('\n'))
}

/** Hosts of the web addresses in a text, each once. */
function hostsIn(text: string): string[] {
  const addresses = text.match(/\bhttps?:\/\/[^\s\]"']+/gi) ?? []
  return [...new Set(addresses.flatMap((address) => (URL.canParse(address) ? [new URL(address).hostname] : [])))]
}
