import type { ProfileStatus } from './profile.ts'
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
  if (!profile.runnable) return { kind: 'impossible', why: 'This profile is only built on.', label: 'Launch' }
  const isolation = settings.isolation ?? (profile.findings.some(({ rule }) => rule === 'runtime') ? 'container' : 'microvm')
  const verb = profile.state === 'fresh' ? 'Launch' : profile.state === 'missing' ? 'Build and launch' : 'Rebuild and launch'
  const label = `${verb} in ${isolation === 'microvm' ? 'microVM' : 'container'}`
  if (isolation === 'microvm' && obstacle) return { kind: 'ask-isolation', ...obstacle, label: `${verb}…` }
  if (profile.findings.some(({ level }) => level === 'high')) return { kind: 'ask-findings', isolation, label: `${label}…` }
  return { kind: 'launch', isolation, needsBuild: profile.state !== 'fresh', label }
}
