import type { ProfileStatus } from './profile.ts'
import { purposeOf } from './profile-words.ts'
import type { Isolation } from './sandbox.ts'
import type { Settings } from './settings.ts'

/** What one press of the launch button would do. */
export type LaunchChoice =
  | { kind: 'launch'; isolation: Isolation; needsBuild: boolean; label: string }
  /** The host cannot give what is asked: explain, and offer a container. */
  | { kind: 'ask-isolation'; why: string; fix: string; label: string }
  /** The profile asks for dangerous power: an explicit yes comes first. */
  | { kind: 'ask-findings'; isolation: Isolation; label: string }
  | { kind: 'impossible'; why: string; label: string }

/**
 * Decides what launching a profile means on this host, and what the button says: the outcome, not the act.
 * @param obstacle why microVMs cannot run here; null when they can, undefined while it is not known
 */
export function chooseLaunch(
  profile: ProfileStatus | undefined,
  settings: Settings,
  obstacle: { why: string; fix: string } | null | undefined,
): LaunchChoice {
  if (profile === undefined) return { kind: 'impossible', why: 'The profile does not exist any more.', label: 'Launch' }
  if (profile.error !== null) return { kind: 'impossible', why: profile.error, label: 'Launch' }
  if (!profile.runnable) return { kind: 'impossible', why: purposeOf(profile), label: 'Launch' }
  const isolation = settings.isolation ?? (profile.findings.some(({ rule }) => rule === 'runtime') ? 'container' : 'microvm')
  const verb = profile.state === 'fresh' ? 'Launch' : profile.state === 'missing' ? 'Build and launch' : 'Rebuild and launch'
  const label = `${verb} in ${isolation === 'microvm' ? 'microVM' : 'container'}`
  if (isolation === 'microvm' && obstacle) return { kind: 'ask-isolation', ...obstacle, label: `${verb} in container…` }
  if (profile.findings.some(({ level }) => level === 'high')) return { kind: 'ask-findings', isolation, label: `${label}…` }
  return { kind: 'launch', isolation, needsBuild: profile.state !== 'fresh', label }
}

/** The label of a launch beside a sandbox that runs already. Pure. */
export function another(label: string): string {
  return label.replace(/launch in/i, (words) => `${words.slice(0, -3)} another in`)
}

/** What the isolation setting means on this host, for the person who sets it. Pure. */
export function isolationNote({ isolation }: Settings, obstacle: { why: string } | null | undefined): string {
  if (isolation === 'container') return 'Every launch shares this machine’s kernel.'
  if (!obstacle) return 'A kernel of its own for each sandbox.'
  return `${isolation === undefined ? 'The default, but' : 'But'} ${obstacle.why}: each launch asks before it uses a container.`
}

/** Why a sandbox is weaker than a microVM, in full sentences; null when it is none the weaker. Pure. */
export function weaknessInWords(isolation: Isolation | 'unverified', settings: Settings, obstacle: { why: string; fix: string } | null | undefined): string | null {
  if (isolation === 'microvm') return null
  const what = isolation === 'container' ? 'It shares this machine’s kernel: a hole in the kernel is a way out.' : 'What separates it from this machine could not be measured, so take it for a container.'
  if (obstacle) return `${what} MicroVMs cannot run here: ${obstacle.why}. ${obstacle.fix}`
  if (isolation === 'container') return `${what} ${settings.isolation === 'container' ? 'Your settings ask for containers.' : 'A container was asked for at its launch.'}`
  return what
}
