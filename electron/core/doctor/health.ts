import type { Check } from '../../../shared/domain/check.ts'
import type { MicrovmFacts } from '../../../shared/domain/microvm.ts'
import type { Settings } from '../../../shared/domain/settings.ts'
import type { PodmanInfo } from '../engine/info.ts'
import type { Podman } from '../engine/podman.ts'
import type { Paths } from '../store/paths.ts'

/** What was found before the checks ask their own questions. */
export interface Patient {
  podman: Podman
  /** null when Podman did not answer; then `infoError` says why. */
  info: PodmanInfo | null
  infoError: string | null
  microvm: MicrovmFacts
  settings: Settings
  paths: Paths
  environment: NodeJS.ProcessEnv
}

/** One question about this host. */
export type HealthCheck = (patient: Patient) => Promise<Check> | Check

/** Nothing to do. */
export const ok = (name: string, found: string): Check => ({ name, status: 'ok', found, fix: null })
/** Something works less well or less safely; `fix` says what to do. */
export const warn = (name: string, found: string, fix: string): Check => ({ name, status: 'warn', found, fix })
/** Launching cannot work; `fix` says what to do. */
export const fail = (name: string, found: string, fix: string): Check => ({ name, status: 'fail', found, fix })
