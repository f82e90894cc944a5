import type { Policy } from '../../shared/domain/egress-policy.ts'
import { floorOf } from '../../shared/domain/egress-policy.ts'
import type { EgressPrompt } from '../../shared/domain/egress-prompt.ts'
import type { EgressRequest } from '../../shared/domain/egress-request.ts'
import type { Offer } from '../../shared/contract/panel-contract.ts'
import type { GuestEntry, GuestPreview } from '../../shared/domain/guest-entry.ts'
import type { ListeningPort } from '../../shared/domain/listening-ports.ts'
import type { McpCall, McpClient } from '../../shared/domain/mcp-activity.ts'
import type { PortForward } from '../../shared/domain/port-rows.ts'
import type { Scene } from './scene.ts'

/** What a sandbox's panels find in a scene. */
export interface PanelScene {
  entries: Record<string, GuestEntry[]>
  previews: Record<string, GuestPreview>
  listening: ListeningPort[]
  forwards: PortForward[]
  clients: McpClient[]
  calls: McpCall[]
  requests: EgressRequest[]
  policy: Policy
  prompts: EgressPrompt[]
  /** What is there already when something is copied in. */
  existing: string[]
}

export const emptyPanels: PanelScene = { entries: { '.': [] }, previews: {}, listening: [], forwards: [], clients: [], calls: [], requests: [], policy: { mode: 'allowlist', rules: [], refused: [], mistakes: [], floor: floorOf('allowlist') }, prompts: [], existing: [] }

const daysAgo = (days: number, hour = 14) => {
  const at = new Date()
  at.setDate(at.getDate() - days)
  at.setHours(hour, 32)
  return at.toISOString()
}
const entry = (name: string, sizeBytes: number, days = 0, type: GuestEntry['type'] = 'file'): GuestEntry => ({ name, type, sizeBytes, modifiedAt: daysAgo(days) })
const folder = (name: string, days = 0) => entry(name, 4096, days, 'folder')
const listens = (port: number, address: string, command: string | null): ListeningPort => ({ port, address, process: command === null ? null : { pid: 100 + port, command } })

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString()
const call = (number: number, ago: number, tool: string, what: string, outcome: McpCall['outcome'], ms: number | null): McpCall => ({ key: String(number), at: secondsAgo(ago), client: 'claude-code', tool, what, outcome, ms })

const request = (n: number, ago: number, host: string, rest: Partial<EgressRequest> = {}): EgressRequest => ({
  n, key: `k${n}`, at: secondsAgo(ago), host, port: 443, method: 'CONNECT', path: null, sent: 1_204, received: 48_310, allowed: true, rule: host, reason: 'listed', agent: 'npm/10.9.2 node/v24.4.0 linux x64', ...rest,
})
const blocked = (n: number, ago: number, host: string, rest: Partial<EgressRequest> = {}) => request(n, ago, host, { sent: 0, received: 0, allowed: false, rule: null, reason: 'not-listed', ...rest })
const askedHost = (host: string, count: number, ago: number): EgressPrompt['hosts'][number] => ({ host, port: 443, count, firstAt: secondsAgo(ago + 20), lastAt: secondsAgo(ago), agent: 'curl/8.14.1' })
const prompt = (...hosts: EgressPrompt['hosts']): EgressPrompt => ({ sandboxId: 'a1'.padEnd(64, '0'), profile: 'default', project: '/home/mira/code/api-server', hosts })

const policy: Policy = {
  mode: 'allowlist',
  rules: [
    { rule: '*.example.org', source: { kind: 'label' } },
    { rule: 'archive.example.net/debian', source: { kind: 'label' } },
    ...['api.anthropic.com', 'claude.ai'].map((rule) => ({ rule, source: { kind: 'list' as const, list: 'claude' } })),
    ...['crates.io', 'static.crates.io'].map((rule) => ({ rule, source: { kind: 'list' as const, list: 'crates' } })),
    { rule: 'docs.rs', source: { kind: 'profile' } },
    { rule: 'grafana.internal.example:3000', source: { kind: 'sandbox' } },
    { rule: 'models.dev', source: { kind: 'once', until: new Date(Date.now() + 240_000).toISOString() } },
  ],
  refused: ['telemetry.example.com'],
  mistakes: [{ word: '*.*.org', why: 'write HOST, *.HOST, HOST:PORT or HOST/PATH, as in *.example.org' }],
  floor: floorOf('allowlist'),
}

const retry = `import { setTimeout as sleep } from 'node:timers/promises'

/** Waits twice as long before each new attempt. */
export async function withRetry<T>(work: () => Promise<T>, attempts = 3): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === attempts) throw error
      await sleep(100 * 2 ** attempt)
    }
  }
}
`

/** A project with a little of everything. */
export const filledPanels: PanelScene = {
  entries: {
    '.': [
      folder('.git'), folder('src'), folder('test', 2), folder('node_modules', 12), entry('.env', 84, 40), entry('.gitignore', 31, 400), entry('README.md', 5_320, 3), entry('package.json', 1_204),
      entry('package-lock.json', 402_112), entry('coverage-2026-11-28.html', 3_565_158, 1), entry('current', 12, 8, 'link'), entry('dev.sock', 0, 0, 'other'), entry('a name that is so long that it cannot be shown in a panel of this width.txt', 12, 1),
    ],
    src: [folder('upload'), entry('index.ts', 820, 1), entry('server.ts', 4_410, 5)],
    'src/upload': [entry('client.ts', 4_812, 9), entry('retry.ts', retry.length), entry('retry.test.ts', 1_911)],
  },
  previews: {
    'src/upload/retry.ts': { kind: 'text', text: retry, isCut: false, totalBytes: retry.length, modifiedAt: daysAgo(0) },
    current: { kind: 'outside', target: '/etc/passwd' },
  },
  listening: [listens(5173, '127.0.0.1', '/usr/bin/node node_modules/.bin/vite --host'), listens(3000, '0.0.0.0', '/usr/bin/node server.js'), listens(3000, '::', '/usr/bin/node server.js'), listens(5432, '127.0.0.1', 'postgres -D /home/ai/pg'), listens(8080, '10.0.2.100', null)],
  forwards: [{ port: 5173, localPort: 5173 }, { port: 5432, localPort: 41_235 }],
  clients: [
    { key: 'c1', name: 'claude-code', version: '2.1.14', transport: 'stdio', isReadOnly: false, since: secondsAgo(1_320) },
    { key: 'c2', name: 'Visual Studio Code', version: '1.131.0', transport: 'http', isReadOnly: true, since: secondsAgo(95) },
  ],
  calls: [
    call(0, 4, 'run_workspace_command', 'npm test …', 'running', null),
    call(1, 31, 'write_workspace_file', 'src/upload/retry.ts', 'done', 12),
    call(2, 44, 'read_workspace_file', 'src/upload/client.ts', 'done', 6),
    call(3, 47, 'read_workspace_file', 'src/upload/<img src=x onerror="alert(1)">\n\u001b[31m', 'failed', 5),
    call(4, 80, 'run_workspace_command', 'npm run build …', 'done', 14_210),
    call(5, 96, 'list_workspace', 'src', 'cancelled', 1_320),
    call(6, 97, 'workspace_status', '', 'done', 41),
    call(7, 4_000, 'run_workspace_command', 'node migrate.js …', 'lost', null),
  ],
  requests: [
    request(1, 410, 'api.anthropic.com', { agent: 'claude-cli/2.1.14', sent: 812_300, received: 91_400 }),
    blocked(2, 300, 'telemetry.example.com', { reason: 'refused', agent: 'node' }),
    request(3, 190, 'crates.io', { agent: 'cargo 1.91.0' }),
    blocked(4, 120, 'metadata.example.net', { reason: 'metadata', agent: 'curl/8.14.1' }),
    request(5, 95, 'archive.example.net', { port: 80, method: 'GET', path: '/debian/dists/trixie/InRelease', rule: 'archive.example.net/debian', agent: 'Debian APT-HTTP/1.3 (3.0.3)', received: 139_000 }),
    blocked(6, 62, 'files.pythonhosted.org', { agent: 'pip/25.1' }),
    blocked(7, 61, 'files.pythonhosted.org', { agent: 'pip/25.1' }),
    blocked(8, 31, 'evil\u202emoc.elpmaxe <b>', { agent: '<img src=x onerror="alert(1)">' }),
    request(9, 12, 'api.anthropic.com', { agent: 'claude-cli/2.1.14', sent: null, received: null }),
  ],
  policy,
  prompts: [],
  existing: [],
}

/** Whose programs ask for a host that no rule lets through, and for several. */
export const askingPanels: PanelScene = { ...filledPanels, prompts: [prompt(askedHost('files.pythonhosted.org', 1, 8))] }
export const burstPanels: PanelScene = { ...filledPanels, prompts: [prompt(askedHost('files.pythonhosted.org', 14, 8), askedHost('pypi.org', 3, 9), askedHost('a-host-with-a-name-that-is-so-long-that-it-does-not-fit.eu-central-1.compute.example.com', 1, 10))] }

/** Names that were chosen to harm who lists them. */
export const hostilePanels: PanelScene = {
  ...emptyPanels,
  entries: { '.': [entry('<img src=x onerror="alert(1)">', 12), entry('two\nlines', 12), entry('red \u001b[31m', 12), entry('invoice\u202efdp.exe', 12), entry('\ufffd\ufffd', 12), entry('passwd', 11, 0, 'link')] },
}

/** As many as a build leaves behind. */
export const crowdedPanels: PanelScene = {
  ...emptyPanels,
  entries: { '.': Array.from({ length: 20_000 }, (_, at) => entry(`chunk-${String(at + 1).padStart(5, '0')}.js`, at * 97, at % 30)) },
  listening: Array.from({ length: 60 }, (_, at) => listens(9_000 + at, '127.0.0.1', `/usr/bin/node workers/worker-${at + 1}.js --port ${9_000 + at}`)),
  forwards: [{ port: 9_002, localPort: 9_002 }],
  clients: Array.from({ length: 12 }, (_, at) => ({ key: `c${at}`, name: `agent-${at + 1}`, version: '1.0.0', transport: 'http', isReadOnly: at % 3 === 0, since: secondsAgo(at * 400) })),
  requests: Array.from({ length: 12_000 }, (_, at) => (at % 7 === 0 ? blocked(at + 1, 12_000 - at, `host-${at % 300}.example.net`) : request(at + 1, 12_000 - at, `host-${at % 300}.example.com`))),
  policy: { ...policy, rules: Array.from({ length: 400 }, (_, at) => ({ rule: `host-${at}.example.com`, source: { kind: at % 3 === 0 ? 'sandbox' : 'label' } as const })) },
  calls: Array.from({ length: 200 }, (_, at) => call(at, at * 3, at % 4 === 0 ? 'run_workspace_command' : 'read_workspace_file', at % 4 === 0 ? 'npm test …' : `src/module-${at}/index.ts`, at % 17 === 0 ? 'failed' : 'done', (at * 37) % 900)),
}

/** The calls of a sandbox's panels, over a scene. */
export function panelAnswers(scene: Scene): Record<string, (input: never) => unknown> {
  const { panels } = scene
  const copied = { files: 1, bytes: 1_204, leftOut: [], leftOutCount: 0 }
  return {
    'files.list': ({ path }: { path: string }) => ({ entries: panels.entries[path] ?? [], isCut: (panels.entries[path]?.length ?? 0) >= 20_000 }),
    'files.open': ({ path }: { path: string }) => panels.previews[path] ?? { kind: 'binary', totalBytes: 3_565_158, modifiedAt: daysAgo(1) },
    'files.pick': (): Offer => ({ offerId: 'offer', names: ['notes.txt'] }),
    'files.copyIn': ({ replaces }: { replaces: boolean }) => (panels.existing.length > 0 && !replaces ? { kind: 'exists', names: panels.existing } : { kind: 'copied', ...copied, leftOut: [{ path: 'notes/link', why: 'it is a link that leads out of what is copied' }], leftOutCount: 1 }),
    'files.download': () => ({ ...copied, to: '/home/mira/Downloads/package.json' }),
    'desktop.board': () => scene.board,
    'desktop.follow': () => ({}),
    'desktop.pause': ({ isPaused }: { isPaused: boolean }) => {
      scene.board = { ...scene.board, isPaused }
      return {}
    },
    'desktop.windows': () => [],
    'desktop.sandbox': ({ id: wanted }: { id: string }) => scene.sandboxes.find(({ id }) => id === wanted) ?? null,
    'desktop.openWindow': () => ({}),
    'desktop.closeWindow': () => ({}),
    'ports.list': () => ({ listening: panels.listening, forwards: panels.forwards }),
    'ports.forward': ({ port }: { port: number }) => {
      panels.forwards = [...panels.forwards, { port, localPort: port }]
      return { port, localPort: port }
    },
    'mcp.command': () => ['/opt/Paddock/bin/paddock'],
    'mcp.list': () => ({ clients: panels.clients, calls: panels.calls }),
    'mcp.follow': () => ({}),
    'egress.requests': ({ after, wait }: { after: number; wait?: boolean }) =>
      wait && after >= panels.requests.length ? new Promise(() => {}) : { requests: panels.requests.filter(({ n }) => n > after), totals: [], last: panels.requests.at(-1)?.n ?? 0, hasEnded: false },
    'egress.policy': () => panels.policy,
    'egress.allow': ({ rule, for: kind }: { rule: string; for: 'sandbox' | 'profile' }) => (panels.policy = { ...panels.policy, rules: [...panels.policy.rules, { rule, source: { kind } }] }),
    'egress.forget': ({ rule }: { rule: string }) => (panels.policy = { ...panels.policy, rules: panels.policy.rules.filter((one) => one.rule !== rule), refused: panels.policy.refused.filter((host) => host !== rule) }),
    'egress.decide': () => ({}),
    'egress.follow': () => new Promise(() => {}),
    'egress.export': () => ({ to: '/home/mira/egress.jsonl' }),
    'ports.stop': ({ port }: { port: number }) => {
      panels.forwards = panels.forwards.filter((forward) => forward.port !== port)
      return {}
    },
  }
}
