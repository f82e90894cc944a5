import { weaknessInWords } from './launch-choice.ts'
import type { MicrovmObstacle } from './microvm.ts'
import type { Sandbox } from './sandbox.ts'
import type { Settings } from './settings.ts'

/** What a sandbox's measured isolation means. */
export interface IsolationWords {
  word: string
  /** True when the sandbox is held less firmly than a microVM holds it. */
  isWeaker: boolean
  why: string
}

const words: Record<Sandbox['isolation'], string> = { microvm: 'microVM', container: 'container', unverified: 'unverified' }

/**
 * Puts the measured isolation into words, with the likely reason when it is no microVM. Pure.
 * @param obstacle why microVMs cannot run here; null when they can, undefined while it is not known
 */
export function describeIsolation(isolation: Sandbox['isolation'], settings: Settings, obstacle: MicrovmObstacle | null | undefined): IsolationWords {
  const weakness = weaknessInWords(isolation, settings, obstacle)
  return { word: words[isolation], isWeaker: weakness !== null, why: weakness ?? 'It runs a kernel of its own, apart from the one of this machine.' }
}
