import type { EgressMode } from './egress.ts'

/** What a sandbox's egress means, for a person. */
export interface EgressWords {
  word: string
  /** True when nothing holds it. */
  isWeaker: boolean
  why: string
}

const words: Record<EgressMode | 'unenforced', EgressWords> = {
  open: { word: 'open', isWeaker: false, why: 'It reaches the internet, but nothing of this machine and its networks that its profile does not name.' },
  allowlist: { word: 'allowlist', isWeaker: false, why: 'It reaches the hosts that its profile and you allow, over HTTP and HTTPS, and asks for no names itself.' },
  deny: { word: 'deny', isWeaker: false, why: 'Nothing leaves it, and it asks for no names.' },
  unenforced: { word: 'not held', isWeaker: true, why: 'No rules hold its network: it may reach services of this machine and its networks.' },
}

/** Puts what a sandbox is held to into words. Pure. */
export const describeEgress = (egress: EgressMode | 'unenforced'): EgressWords => words[egress]
