import type { Check } from '../../shared/domain/check.ts'
import type { PinReport } from '../../shared/domain/upgrade.ts'
import type { AppState } from '../store/store.ts'
import { desktopScreens } from './desktop-scenes.ts'
import { carelessText, webText } from './fake-profiles.ts'
import { panelScreens } from './panel-scenes.ts'
import { emptyScene, fakeProfile, fakeProject, fakeSandbox, type Scene } from './scene.ts'
import { shellScreens } from './shell-scenes.ts'

const checks: Check[] = [
  { name: 'Podman', status: 'ok', found: 'podman version 5.4.2', fix: null },
  { name: 'Subordinate ids', status: 'ok', found: '65536 user ids and 65536 group ids', fix: null },
  { name: 'MicroVMs', status: 'ok', found: 'krun 1.28 with libkrun, /dev/kvm can be opened', fix: null },
  { name: 'Limits', status: 'warn', found: 'the cpu controller is not delegated, so CPU limits do not hold', fix: 'sudo systemctl set-property user@1000.service Delegate="cpu memory pids"' },
  { name: 'Storage', status: 'ok', found: 'overlay, 142 GiB free', fix: null },
]

const profiles = [
  fakeProfile('base', { runnable: false, caps: { ramMib: null, cpus: null, tmpSize: null, pids: null } }),
  fakeProfile('default'),
  fakeProfile('desktop', { state: 'missing', reasons: ['The image has never been built.'] }),
  fakeProfile('minimal', { caps: { ramMib: 2048, cpus: 2, tmpSize: '512m', pids: 256 } }),
  fakeProfile('old-tools', { source: 'user', state: 'missing', error: 'LABEL run has a quote that is not closed.' }),
  fakeProfile('reckless', {
    source: 'user',
    findings: [
      { level: 'high', rule: 'mount', message: 'Mounting /run/user/1000/podman gives the sandbox control over Podman on the host.' },
      { level: 'medium', rule: 'read-only', message: '--read-only is missing, so the sandbox can change its own system files.' },
      { level: 'low', rule: 'publish', message: '--publish opens a port of the sandbox on this machine.' },
    ],
  }),
  fakeProfile('web', { state: 'stale', reasons: ['The Containerfile was edited since the image was built.', 'The base image is a newer one.'] }),
]

const typical = (): Scene => ({
  ...emptyScene,
  projects: [
    fakeProject('api-server', { pinned: true, lastProfile: 'default', lastOpenedAt: '2026-11-29T09:00:00Z' }),
    fakeProject('web', { lastProfile: 'web', lastOpenedAt: '2026-11-28T09:00:00Z' }),
    fakeProject('notes', { lastOpenedAt: '2026-11-27T09:00:00Z' }),
    fakeProject('Übung 3 – a folder with a rather long name', { lastOpenedAt: '2026-11-26T09:00:00Z' }),
    fakeProject('gone-away', { exists: false }),
  ],
  profiles,
  checks,
  sandboxes: [
    fakeSandbox('a1', 'api-server'),
    fakeSandbox('b2', 'web', { profile: 'web', isolation: 'container', startedAt: new Date(Date.now() - 720_000).toISOString(), caps: { ramMib: 8192, cpus: 4, tmpSize: '2048m', pids: 1024, unenforced: ['cpus'] }, ports: [{ host: '127.0.0.1', hostPort: 3000, sandboxPort: 3000, protocol: 'tcp' }] }),
  ],
})

const noMicrovm = (): Scene => ({
  ...typical(),
  sandboxes: [],
  obstacle: { why: 'this host has no /dev/kvm', fix: 'Switch virtualisation on in the firmware; inside a virtual machine, allow nested virtualisation.' },
  checks: [{ name: 'MicroVMs', status: 'warn', found: 'this host has no /dev/kvm', fix: 'Switch virtualisation on in the firmware.' }, ...checks.filter(({ name }) => name !== 'MicroVMs')],
})

const states = ['fresh', 'fresh', 'stale', 'missing'] as const

const crowded = (): Scene => ({
  ...typical(),
  projects: Array.from({ length: 80 }, (_, at) => fakeProject(`service-${String(at + 1).padStart(3, '0')}`, { pinned: at < 3, lastOpenedAt: new Date(Date.now() - at * 3_600_000).toISOString() })),
  profiles: Array.from({ length: 300 }, (_, at) => fakeProfile(`team-${String(at + 1).padStart(3, '0')}`, { state: states[at % 4]!, reasons: at % 4 < 2 ? [] : ['A copied file was edited.'] })),
  sandboxes: Array.from({ length: 200 }, (_, at) => fakeSandbox((0x1000 + at).toString(16), `service-${String((at % 80) + 1).padStart(3, '0')}`, { profile: `team-${String((at % 300) + 1).padStart(3, '0')}` })),
})

const podmanSilent = { code: 'podman-failed' as const, message: 'Podman does not answer, because its storage is locked.', hint: 'Examine the host.', command: ['podman', 'ps', '--all', '--format', 'json'], exitCode: 125, stderrTail: 'Error: database is locked' }

const pin = (npm: string, current: string, rest: Partial<PinReport>): PinReport => ({ profile: 'base', npm, current, state: 'current', next: null, held: null, error: null, ...rest })
const newer = (version: string, ageDays: number) => ({ state: 'newer' as const, next: { version, integrity: 'sha512-', ageDays } })
const mixedPins: PinReport[] = [
  pin('@anthropic-ai/claude-code', '2.1.9', { ...newer('2.1.14', 3), held: { version: '2.1.15', ageDays: 1 } }),
  pin('@openai/codex', '0.63.0', newer('0.64.0', 6)),
  pin('opencode-ai', '1.0.119', { state: 'held', held: { version: '1.0.121', ageDays: 0 } }),
  pin('@google/gemini-cli', '0.18.4', {}),
  pin('@earendil-works/pi-coding-agent', '0.9.3', {}),
  pin('@moonshot-ai/kimi-code', '1.4.0', {}),
]
const unread = pin('typescript-language-server', '5.1.3', { profile: 'web', state: 'failed', error: 'the registry gives another integrity for the version that is pinned' })

const upgrading = (pins: PinReport[], of: string): Screen => ({
  scene: () => ({ ...typical(), upgrade: { pins, written: [], bases: [] } }),
  act: (state) => {
    state.openPanel({ kind: 'profile', name: of })
    return state.checkUpgrade(of)
  },
})

const imported = {
  name: 'shop',
  file: '/home/mira/.config/paddock/profiles/shop/Containerfile',
  notes: [
    'There is a profile web already, so this one is named shop.',
    'The mount of ~/.aws is not taken over: it holds keys.',
    'forwardPorts 3000 and 5432 are published on this machine only.',
    'The feature docker-in-docker has no counterpart here.',
    'postCreateCommand is in the image as post-create; run it inside when you want it.',
  ],
}

type Act = (state: AppState, scene: Scene) => unknown

/** A screen to look at: what the main process answers, and what the person did. */
export interface Screen {
  scene: () => Scene
  act?: Act
  /** The page of a desktop's own window instead of the main one's. */
  desktopOf?: string
  /** A button that is pressed at last, by the beginning of its words. */
  press?: string
}

const idOf = (short: string) => short.padEnd(64, '0')
const folderOf = (name: string) => `/home/mira/code/${name}`
const launch: Act = (state) => state.requestLaunch(folderOf('api-server'))
const show = (short: string): Act => (state) => state.showSandbox(idOf(short))
const notBuilt = { state: 'missing' as const, reasons: ['The image has never been built.'] }

const empty = (): Scene => ({ ...emptyScene, profiles: [fakeProfile('base', { runnable: false, ...notBuilt }), fakeProfile('default', notBuilt)] })
const silent = (): Scene => ({ ...emptyScene, silent: ['project.list', 'profile.list', 'sandbox.list', 'host.isolation'] })
const failing = (): Scene => ({
  ...emptyScene,
  projects: typical().projects,
  errors: { 'profile.list': podmanSilent, 'sandbox.list': podmanSilent, 'doctor.check': podmanSilent, 'host.isolation': podmanSilent },
})

/** A profile of the person's own, open in the editor. */
const editing = (text: string): Scene => {
  const scene = typical()
  return { ...scene, texts: { web: text }, profiles: scene.profiles.map((profile) => (profile.name === 'web' ? { ...profile, source: 'user' as const } : profile)) }
}
const edit: Act = (state) => state.editProfile('web')
/** A change, as if it had been typed. */
const type = (state: AppState, from: string, to: string) => state.editText('web', webText.replace(from, to))

/** Every screen of the window, by name. */
export const screens: Record<string, Screen> = {
  project: { scene: typical },
  empty: { scene: empty },
  loading: { scene: silent },
  error: { scene: failing },
  terminal: { scene: typical, act: show('a1') },
  container: { scene: typical, act: show('b2') },
  ...shellScreens(typical),
  ...desktopScreens(typical),
  sandbox: {
    scene: typical,
    act: async (state) => {
      await state.showSandbox(idOf('b2'))
      state.openPanel({ kind: 'sandbox', id: idOf('b2') })
    },
  },
  ...panelScreens(typical),
  building: { scene: () => ({ ...typical(), launch: 'builds' }), act: launch },
  failed: { scene: () => ({ ...typical(), launch: 'fails' }), act: launch },
  'no-microvm': { scene: noMicrovm, act: launch },
  findings: { scene: typical, act: (state) => state.requestLaunch(folderOf('notes'), 'reckless') },
  profile: { scene: typical, act: (state) => state.openPanel({ kind: 'profile', name: 'web' }) },
  'new-profile': { scene: typical, act: (state) => state.startTask({ kind: 'new' }) },
  rename: { scene: typical, act: (state) => state.startTask({ kind: 'rename', name: 'reckless' }) },
  delete: { scene: typical, act: (state) => state.startTask({ kind: 'delete', name: 'reckless' }) },
  import: {
    scene: () => ({ ...typical(), imported, profiles: [...profiles, fakeProfile('shop', { source: 'user', ...notBuilt })] }),
    act: (state) => state.importProfile('file'),
  },
  upgrade: upgrading(mixedPins, 'default'),
  'upgrade-failed': upgrading([...mixedPins, unread], 'web'),
  upgrading: {
    scene: () => ({ ...typical(), silent: ['profile.upgrade'] }),
    act: (state) => {
      state.openPanel({ kind: 'profile', name: 'default' })
      return state.checkUpgrade('default')
    },
  },
  try: { scene: noMicrovm, act: (state) => state.tryProfile('minimal') },
  broken: { scene: typical, act: (state) => state.openPanel({ kind: 'profile', name: 'old-tools' }) },
  editor: {
    scene: () => editing(webText),
    act: async (state) => {
      await state.editProfile('web')
      type(state, 'krun.ram_mib=8192', 'krun.ram_mib=4096')
    },
  },
  'editor-bundled': { scene: typical, act: (state) => state.editProfile('default') },
  'editor-findings': { scene: () => editing(carelessText), act: edit, press: 'Findings' },
  'editor-conflict': {
    scene: () => editing(webText),
    act: async (state, scene) => {
      await state.editProfile('web')
      type(state, 'chromium ripgrep sqlite3', 'chromium fd-find ripgrep sqlite3')
      scene.texts.web = webText.replace('pnpm@10.2.0', 'pnpm@10.3.1').replace('# The browser', '# Our browser')
      await state.checkEditors()
    },
    press: 'Compare',
  },
  'editor-failed': {
    scene: () => ({ ...editing(webText), launch: 'fails' }),
    act: edit,
    press: 'Build',
  },
  'editor-gone': { scene: () => ({ ...typical(), errors: { 'profile.open': { code: 'profile-unknown', message: 'There is no profile "web".', hint: '"paddock profiles" lists them.' } } }), act: edit },
  settings: { scene: typical, act: (state) => state.openPanel({ kind: 'settings' }) },
  host: { scene: noMicrovm, act: (state) => state.openPanel({ kind: 'host' }) },
  about: { scene: typical, act: (state) => state.openPanel({ kind: 'about' }) },
  palette: { scene: typical, act: (state) => state.openPalette({ kind: 'all' }) },
  crowded: { scene: crowded, act: (state) => state.showSandbox(idOf('1005')) },
  ended: {
    scene: typical,
    act: async (state) => {
      await state.showSandbox(idOf('a1'))
      state.noteExit(idOf('a1'), 3)
      state.setSandboxes((state.sandboxes ?? []).filter(({ id }) => id !== idOf('a1')))
    },
  },
  stop: {
    scene: typical,
    act: async (state) => {
      await state.showSandbox(idOf('a1'))
      state.confirm({ id: idOf('a1'), what: 'stop' })
    },
  },
  lost: {
    scene: typical,
    act: async (state) => {
      await state.showSandbox(idOf('a1'))
      state.noteExit(idOf('a1'), null)
      state.setConnected(false)
    },
  },
  problem: { scene: typical, act: (state) => state.report('The sandbox could not be stopped.', podmanSilent) },
}
