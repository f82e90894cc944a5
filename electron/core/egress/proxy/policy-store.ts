import { readdir, readFile } from 'node:fs/promises'
import * as z from 'zod/mini'
import { decisionsSchema, type Decisions, effectiveRules, formatProxyPolicy, machineSourcesOf, noDecisions, type PolicySources } from '../../../../shared/domain/egress-policy.ts'
import { launchRecord } from '../../sandboxes/launch-record.ts'
import { withFileLock } from '../../store/file-lock.ts'
import { setAside } from '../../store/set-aside.ts'
import { writeJson } from '../../store/write-json.ts'
import { type Lane, ownsPort, readLane } from '../lane.ts'
import { createMachineHosts, type MachineHosts } from '../machine-hosts.ts'

/** What the person allows for all sandboxes of a profile, by the profile's name. */
const profileRulesSchema = z.object({ profiles: z.record(z.string(), z.array(z.string())) })

/** A profile may have the name of what every object has. */
const rulesOf = (profiles: Record<string, string[]>, profile: string) => (Object.hasOwn(profiles, profile) ? profiles[profile]! : [])

/** Where policies of running sandboxes come from. */
export interface PolicyStore {
  /** Every launch of which there is a record. */
  launches(): Promise<string[]>
  /** What a launch's rules come from; null for one that has no way to the proxy. */
  sources(launchId: string): Promise<{ lane: Lane; sources: PolicySources } | null>
  /** Changes what the person decided for a launch, and tells the proxy. */
  decide(launchId: string, change: (before: Decisions) => Decisions): Promise<void>
  /** Changes what the person allows for a profile, and tells the proxy for all its sandboxes. */
  allowForProfile(profile: string, change: (before: string[]) => string[]): Promise<void>
  /** Writes the policy that holds now where the proxy reads it, unless the launch's port is another's by now. */
  apply(launchId: string): Promise<void>
}

/** @param egressFile where the rules of profiles are kept */
export function createPolicyStore(launchesFolder: string, egressFile: string, machineHosts: MachineHosts = createMachineHosts()): PolicyStore {
  const decisionsOf = async (launchId: string): Promise<Decisions> => {
    const record = launchRecord(launchesFolder, launchId)
    try {
      return decisionsSchema.parse(JSON.parse(await readFile(record!.decisionsFile, 'utf8')))
    } catch {
      return noDecisions
    }
  }
  const readProfiles = async (): Promise<Record<string, string[]>> => {
    let text: string
    try {
      text = await readFile(egressFile, 'utf8')
    } catch {
      return {}
    }
    try {
      return profileRulesSchema.parse(JSON.parse(text)).profiles
    } catch {
      await setAside(egressFile)
      return {}
    }
  }
  /** Two answers at once would each be written without the other; the window and the command both give some. */
  const inTurn = (work: () => Promise<void>) => withFileLock(`${launchesFolder}.lock`, work)
  const launches = () => readdir(launchesFolder).catch(() => [])
  const store: PolicyStore = {
    launches,
    async sources(launchId) {
      const record = launchRecord(launchesFolder, launchId)
      const lane = record && (await readLane(record.policyFile))
      if (!lane) return null
      const [profiles, decisions, machine] = await Promise.all([readProfiles(), decisionsOf(launchId), machineHosts.of(machineSourcesOf(lane.words))])
      return { lane, sources: { words: lane.words, profile: rulesOf(profiles, lane.profile), decisions, machine } }
    },
    decide: (launchId, change) =>
      inTurn(async () => {
        const record = launchRecord(launchesFolder, launchId)
        if (record === null) return
        const { rules, refused } = await decisionsOf(launchId)
        const now = new Date().toISOString()
        await writeJson(record.decisionsFile, change({ refused, rules: rules.filter(({ until }) => until === null || until > now) }))
        await store.apply(launchId)
      }),
    allowForProfile: (profile, change) =>
      inTurn(async () => {
        const profiles = await readProfiles()
        await writeJson(egressFile, { profiles: { ...profiles, [profile]: change(rulesOf(profiles, profile)) } })
        for (const launchId of await launches()) {
          if ((await store.sources(launchId))?.lane.profile === profile) await store.apply(launchId)
        }
      }),
    async apply(launchId) {
      const found = await store.sources(launchId)
      if (found === null || !(await ownsPort(found.lane.proxyPolicyFile, launchId))) return
      const { default: writeFileAtomic } = await import('write-file-atomic')
      const rules = effectiveRules(found.sources, new Date().toISOString())
      await writeFileAtomic(found.lane.proxyPolicyFile, formatProxyPolicy(launchId, rules, found.sources.decisions.refused), { mode: 0o600 })
    },
  }
  return store
}
