import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { egressHook } from '../../electron/core/egress/egress-hook.ts'
import { findNft } from '../../electron/core/egress/find-nft.ts'
import { readHostNetwork } from '../../electron/core/egress/host-network.ts'
import { findPaths } from '../../electron/core/store/paths.ts'
import { egressRules, formatEgressRules, pastaResolver } from '../../shared/domain/egress-rules.ts'

/** The hook and the rules that a launch in `open` gets, for containers that Paddock does not start. */
export interface HookFolder {
  /** As Podman's `--hooks-dir` takes it. */
  hooks: string
  /** @throws when no container ran the hook: what was measured is then something else */
  demandReceipt(): void
}

/** Makes them in a folder of their own, which is made too. */
export async function makeHookFolder(folder: string, podman: string): Promise<HookFolder> {
  const nft = await findNft([podman, findPaths().toolchainPodman])
  if (nft === null) throw new Error('nft was not found.')
  const file = (name: string) => join(folder, name)
  const host = await readHostNetwork()
  mkdirSync(file('hooks'), { recursive: true })
  writeFileSync(file('rules'), formatEgressRules(egressRules({ mode: 'open', mark: 'bench', host: host.addresses, resolvers: [pastaResolver], places: [], published: { tcp: [], udp: [] } })))
  writeFileSync(file('receipt'), '')
  writeFileSync(file('hooks/egress.json'), egressHook({ nft, rulesFile: file('rules'), receiptFile: file('receipt'), hostNetns: host.netns }))
  return {
    hooks: file('hooks'),
    demandReceipt() {
      if (!readFileSync(file('receipt'), 'utf8').startsWith('netns ')) throw new Error('The hook left no receipt.')
    },
  }
}

/** What is said where both sides of a comparison run the hook. */
export const sameHookNote = 'Podman runs the egress hook, with the rules of open, on both sides; what it costs has a bench of its own'

/**
 * Has plain Podman run the hook for every container, runlabel’s too. Paddock’s launches name another hooks folder, which takes
 * the place of this one.
 * @param config the XDG_CONFIG_HOME of both sides
 */
export function hookPlainPodman(config: string, { hooks }: HookFolder): void {
  const parts = join(config, 'containers/containers.conf.d')
  mkdirSync(parts, { recursive: true })
  writeFileSync(join(parts, 'egress-hook.conf'), `[engine]\nhooks_dir = [${JSON.stringify(hooks)}]\n`)
}
