import type { MadeProfile } from '../../shared/contract/profile-contract.ts'
import type { HostIsolation } from '../../shared/contract/window-contract.ts'
import type { Check } from '../../shared/domain/check.ts'
import type { DesktopBoard } from '../../shared/domain/desktop-act.ts'
import type { ProfileStatus } from '../../shared/domain/profile.ts'
import type { RecentProject } from '../../shared/domain/recent-project.ts'
import type { Sandbox } from '../../shared/domain/sandbox.ts'
import type { Settings } from '../../shared/domain/settings.ts'
import type { UpgradeReport } from '../../shared/domain/upgrade.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import { emptyPanels, type PanelScene } from './fake-panels.ts'

/** All that a fake main process answers. */
export interface Scene {
  projects: RecentProject[]
  profiles: ProfileStatus[]
  sandboxes: Sandbox[]
  settings: Settings
  obstacle: HostIsolation['obstacle']
  checks: Check[]
  /** How a launch goes: it builds for ever, it fails, or it succeeds at once. */
  launch: 'builds' | 'fails' | 'succeeds'
  /** What a look for newer versions finds. */
  upgrade: UpgradeReport
  /** What the person chose to import. */
  imported: MadeProfile | null
  /** What a sandbox's panels find. */
  panels: PanelScene
  /** Whether desktops are drawn, are waited for without end, or fail. */
  desktop: 'draws' | 'waits' | ErrorReport
  /** What agents do with desktops. */
  board: DesktopBoard
  /** Containerfiles by profile; another one has a short text. */
  texts: Record<string, string>
  /** What a call answers instead of its value, by the call's name. */
  errors: Partial<Record<string, ErrorReport>>
  /** Calls that are never answered. */
  silent: readonly string[]
}

const caps = { ramMib: 8192, cpus: 4, tmpSize: '2048m', pids: 1024 }

export function fakeProject(name: string, rest: Partial<RecentProject> = {}): RecentProject {
  return { folder: `/home/mira/code/${name}`, name, pinned: false, lastProfile: null, lastOpenedAt: '2026-11-20T09:00:00Z', exists: true, ...rest }
}

export function fakeProfile(name: string, rest: Partial<ProfileStatus> = {}): ProfileStatus {
  const image = `localhost/paddock:${name === 'default' ? 'latest' : name}`
  const folder = rest.source === 'user' ? '/home/mira/.config/paddock/profiles' : '/opt/Paddock/resources/profiles'
  const base = { profile: 'base', image: 'docker.io/library/debian:trixie-slim', created: new Date(Date.now() - 12 * 86_400_000).toISOString() }
  return { name, image, source: 'bundled', file: `${folder}/${name}/Containerfile`, state: 'fresh', reasons: [], caps, runnable: true, findings: [], base, error: null, ...rest }
}

export function fakeSandbox(id: string, project: string, rest: Partial<Sandbox> = {}): Sandbox {
  return {
    id: id.padEnd(64, '0'),
    profile: 'default',
    project: `/home/mira/code/${project}`,
    state: 'running',
    isolation: 'microvm',
    egress: 'open',
    startedAt: new Date(Date.now() - 8_040_000).toISOString(),
    caps: { ...caps, unenforced: [] },
    ports: [],
    hasDesktop: false,
    channelProblem: null,
    error: null,
    ...rest,
  }
}

export const emptyScene: Scene = {
  projects: [],
  profiles: [],
  sandboxes: [],
  settings: {},
  obstacle: null,
  checks: [],
  launch: 'succeeds',
  upgrade: { pins: [], written: [], bases: [] },
  imported: null,
  panels: emptyPanels,
  desktop: 'draws',
  board: { isPaused: false, act: null },
  texts: {},
  errors: {},
  silent: [],
}
