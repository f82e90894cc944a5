import type { Isolation } from './sandbox.ts'

/** What can be asked of a launch, the strongest word first. */
export interface IsolationWishes {
  /** `--isolation` of this launch. */
  flag: Isolation | undefined
  /** `PADDOCK_ISOLATION` or the settings file. */
  setting: Isolation | undefined
  /** `--runtime` of the run label. */
  runtime: string | undefined
}

/** Which isolation a launch is to give: what the person says, else what the label says. Never weaker by itself. Pure. */
export function decideIsolation({ flag, setting, runtime }: IsolationWishes): Isolation {
  return flag ?? setting ?? (runtime === 'krun' ? 'microvm' : 'container')
}
