import type { EgressAnswer, EgressPrompt } from '../../shared/domain/egress-prompt.ts'
import type { MakeSlice } from './slice.ts'

/** What the person answers about: all that is needed of a blocked host. */
export type AskedName = Pick<EgressPrompt['hosts'][number], 'host' | 'port'>

export interface EgressSlice {
  /** Blocked hosts about which the person may decide, a prompt each sandbox. */
  prompts: readonly EgressPrompt[]
  setPrompts(prompts: readonly EgressPrompt[]): void
  /** Has prompts told from now on; a second time changes nothing. */
  followEgress(): void
  decideEgress(id: string, hosts: readonly AskedName[], answer: EgressAnswer): Promise<void>
}

export const makeEgressSlice: MakeSlice<EgressSlice> = (api) => (set, get) => {
  let isFollowing = false
  return {
    prompts: [],
    setPrompts: (prompts) => set({ prompts }),
    followEgress() {
      if (isFollowing) return
      isFollowing = true
      // Answered only when it is over, by a failure as a rule: the next list of sandboxes asks again.
      void api.call('egress.follow', {}).then(() => (isFollowing = false))
    },
    async decideEgress(id, hosts, answer) {
      const reply = await api.call('egress.decide', { id, hosts: hosts.map(({ host, port }) => ({ host, port })), answer })
      if (!reply.ok) return get().report('Your answer was not taken.', reply.error)
      // The event that takes them away comes a moment later; a second answer would be to nothing.
      const isDecided = (one: AskedName) => hosts.some(({ host, port }) => one.host === host && one.port === port)
      set(({ prompts }) => ({ prompts: prompts.map((prompt) => (prompt.sandboxId === id ? { ...prompt, hosts: prompt.hosts.filter((one) => !isDecided(one)) } : prompt)).filter((prompt) => prompt.hosts.length > 0) }))
    },
  }
}
