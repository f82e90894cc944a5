import type { WindowEvent } from '../../shared/contract/window-contract.ts'
import type { Sandbox } from '../../shared/domain/sandbox.ts'
import type { AppState } from '../store/state.ts'
import { type FakeApi, type FakeHandlers, failure } from './fake-api.ts'
import { sampleProfile, sampleProject, sampleSandbox } from './samples.ts'

/** A state of the app to look at: what its main process answers, and what happens after the start. */
export interface Scene {
  handlers: FakeHandlers
  /** What the sandboxes' terminals show. */
  terminal?: string
  after?: (state: AppState, api: FakeApi) => void | Promise<void>
}

const never = new Promise<never>(() => {})
const obstacle = { why: 'this host has no /dev/kvm', fix: 'Switch virtualisation on in the firmware; inside a virtual machine, allow nested virtualisation.' }
const prompt = '\x1b[32mai@paddock\x1b[0m \x1b[34m~/sandbox\x1b[0m $ '
const session = `${prompt}git status --short\r\n \x1b[31mM\x1b[0m src/server.ts\r\n \x1b[31mM\x1b[0m src/routes/users.ts\r\n\x1b[31m??\x1b[0m notes/über.md\r\n${prompt}npm test\r\n\r\n \x1b[1m\x1b[32m✓\x1b[0m 214 passed  \x1b[90m(3.1 s)\x1b[0m\r\n\r\n${prompt}`

const profiles = [
  sampleProfile('base', { runnable: false }),
  sampleProfile('default'),
  sampleProfile('desktop', { state: 'missing', reasons: ['Its image was never built.'] }),
  sampleProfile('node', { state: 'stale', source: 'user', reasons: ['The Containerfile changed since the image was built.', 'The image it builds on, base, is newer.'] }),
  sampleProfile('legacy-import', { state: 'missing', source: 'user', error: 'Its run label does not begin with “podman run”.', runnable: false }),
  sampleProfile('docker-host', {
    source: 'user',
    findings: [
      { level: 'medium', rule: 'caps', message: 'It keeps all of Podman’s default capabilities.' },
      { level: 'high', rule: 'privileged', message: '--privileged gives the sandbox every device of this machine.' },
    ],
  }),
]
const projects = [sampleProject('api-server', { pinned: true, lastProfile: 'node' }), sampleProject('web'), sampleProject('notes'), sampleProject('old-experiment', { exists: false })]
const api = sampleSandbox('api-server', { profile: 'node' })
const web = sampleSandbox('web', { isolation: 'container', startedAt: new Date(Date.now() - 840_000).toISOString(), caps: { ramMib: 8192, cpus: 4, tmpSize: '2g', pids: 1024, unenforced: ['ramMib', 'pids'] }, ports: [{ host: '127.0.0.1', hostPort: 3000, sandboxPort: 3000, protocol: 'tcp' }] })

const typical: FakeHandlers = {
  'project.list': () => projects,
  'sandbox.list': () => [api, web],
  'settings.get': () => ({}),
  'settings.set': (change) => change,
  'profile.list': () => profiles,
  'host.isolation': () => ({ obstacle: null }),
  'sandbox.attach': ({ id }) => ({ terminalId: id, sandboxId: id }),
  'sandbox.command': () => 'podman run --rm localhost/paddock:node',
  'sandbox.stop': ({ ids }) => ids,
  'sandbox.launch': () => never,
  'profile.build': () => never,
  'app.about': () => ({ version: '0.1.0', electron: '45.5.0', chrome: '150.0.0.0', node: '24.4.0', podman: 'podman version 5.4.2', os: 'Linux 6.12.0' }),
  'doctor.check': () => [
    { name: 'Podman', status: 'ok', found: '5.4.2, rootless', fix: null },
    { name: 'MicroVM', status: 'warn', found: obstacle.why, fix: obstacle.fix },
    { name: 'Subordinate ids', status: 'fail', found: 'none for this account', fix: 'sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 "$USER"' },
  ],
}

const stats = (sandboxes: readonly Sandbox[]): WindowEvent => ({ type: 'stats', stats: sandboxes.map(({ id }, index) => ({ id, cpu: 0.4 + index / 10, memoryBytes: 1.2 * 1024 ** 3 })) })
const show = (view: AppState['view']) => (state: AppState) => state.show(view)
const project = (name: string) => show({ kind: 'project', folder: `/home/ada/src/${name}` })
const buildLog = Array.from({ length: 60 }, (_line, index) => `STEP ${Math.floor(index / 8) + 1}/8: Get:${index + 1} http://deb.debian.org/debian trixie/main amd64 package-${index} [${index * 13} kB]`)
const build = (end: Promise<never>): NonNullable<FakeHandlers['sandbox.launch']> => async (_input, { onProgress }) => {
  for (const text of ['Checking the profile', 'Building base', 'Building node']) onProgress({ kind: 'step', text })
  for (const text of buildLog) onProgress({ kind: 'log', text })
  return end
}
const buildError = () => failure({
  code: 'build-failed',
  message: 'The image of node could not be built: its step 5 failed.',
  hint: 'Mend the Containerfile and try again; what was built before is kept.',
  command: ['podman', 'build', '--file', 'Containerfile', '--tag', 'localhost/paddock:node', '.'],
  stderrTail: 'E: Unable to locate package nodejss\nError: building at STEP "RUN apt-get install -y nodejss": exit status 100',
})
/** Rejected from the start, so somebody must have looked. */
const failed = Promise.reject<never>(buildError())
failed.catch(() => {})
const crowd = Array.from({ length: 200 }, (_sandbox, index) => sampleSandbox(`project-${index}`, { startedAt: new Date(Date.now() - index * 60_000).toISOString() }))
const manyProfiles = Array.from({ length: 300 }, (_profile, index) => sampleProfile(`profile-${index}${index % 7 === 0 ? '-with-a-name-that-goes-on-and-on-and-on' : ''}`, { state: (['fresh', 'stale', 'missing'] as const)[index % 3]!, reasons: index % 3 === 0 ? [] : ['The Containerfile changed.'] }))
const longName = 'a-project-whose-name-somebody-thought-would-explain-everything-about-it-and-more'

export const scenes: Record<string, Scene> = {
  empty: { handlers: { ...typical, 'project.list': () => [], 'sandbox.list': () => [], 'profile.list': () => [sampleProfile('default', { state: 'missing' })] } },
  loading: { handlers: { ...typical, 'project.list': () => never, 'sandbox.list': () => never, 'profile.list': () => never } },
  project: { handlers: typical, after: project('web') },
  terminal: { handlers: typical, terminal: session, after: async (state, fake) => (await state.attach(api.id), fake.emit(stats([api, web]))) },
  container: { handlers: { ...typical, 'host.isolation': () => ({ obstacle }) }, terminal: session, after: async (state, fake) => (await state.attach(web.id), fake.emit(stats([api, web]))) },
  building: { handlers: { ...typical, 'sandbox.launch': build(never) }, after: (state) => void state.launch(projects[0]!.folder, 'node', { acceptFindings: false }) },
  'failed-build': { handlers: { ...typical, 'sandbox.launch': build(failed) }, after: (state) => state.launch(projects[0]!.folder, 'node', { acceptFindings: false }) },
  profile: { handlers: typical, after: show({ kind: 'profile', name: 'node' }) },
  broken: { handlers: typical, after: show({ kind: 'profile', name: 'legacy-import' }) },
  findings: { handlers: { ...typical, 'project.list': () => [{ ...projects[1]!, lastProfile: 'docker-host' }] }, after: project('web') },
  'no-microvm': { handlers: { ...typical, 'host.isolation': () => ({ obstacle }) }, after: project('web') },
  error: {
    handlers: { ...typical, 'sandbox.list': () => [] },
    after: (state, fake) => {
      fake.emit({ type: 'connection', isConnected: false })
      state.report({ code: 'podman-failed', message: 'Podman could not list the containers: its storage is locked.', hint: 'Wait a moment, or see what else uses it.', command: ['podman', 'ps', '--all'], stderrTail: 'Error: acquiring lock: timeout' })
    },
  },
  ended: { handlers: typical, terminal: `${session}exit 3\r\n`, after: async (state) => (await state.attach(api.id), state.noteExit(api.id, 3)) },
  crowded: {
    handlers: { ...typical, 'project.list': () => [sampleProject(longName), ...Array.from({ length: 40 }, (_project, index) => sampleProject(`project-${index}`))], 'sandbox.list': () => crowd, 'profile.list': () => [sampleProfile('default'), ...manyProfiles] },
    after: project(longName),
  },
  settings: { handlers: { ...typical, 'host.isolation': () => ({ obstacle }) }, after: (state) => state.setPanel('settings') },
  host: { handlers: typical, after: (state) => state.setPanel('host') },
  about: { handlers: typical, after: (state) => state.setPanel('about') },
  palette: { handlers: typical, after: (state) => state.setPalette(true) },
}
