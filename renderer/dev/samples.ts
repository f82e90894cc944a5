import type { ProfileStatus } from '../../shared/domain/profile.ts'
import type { RecentProject } from '../../shared/domain/recent-project.ts'
import type { Sandbox } from '../../shared/domain/sandbox.ts'

/** Plausible things, for scenes and tests. */
export const sampleProfile = (name: string, change: Partial<ProfileStatus> = {}): ProfileStatus => ({
  name,
  image: `localhost/paddock:${name}`,
  source: 'bundled',
  state: 'fresh',
  reasons: [],
  caps: { ramMib: 8192, cpus: 4, tmpSize: '2048m', pids: 1024 },
  runnable: true,
  findings: [],
  error: null,
  ...change,
})

export const sampleProject = (name: string, change: Partial<RecentProject> = {}): RecentProject => ({
  folder: `/home/ada/src/${name}`,
  name,
  pinned: false,
  lastProfile: null,
  lastOpenedAt: '2026-10-01T08:00:00Z',
  exists: true,
  ...change,
})

export const sampleSandbox = (id: string, change: Partial<Sandbox> = {}): Sandbox => ({
  id: id.padEnd(64, '0'),
  profile: 'default',
  project: `/home/ada/src/${id}`,
  state: 'running',
  isolation: 'microvm',
  startedAt: new Date(Date.now() - 8_040_000).toISOString(),
  caps: { ramMib: 8192, cpus: 4, tmpSize: '2048m', pids: 1024, unenforced: [] },
  ports: [],
  error: null,
  ...change,
})
