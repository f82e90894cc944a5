/** Hosts that belong together, for a run label to name at once: `@npm`. */
export interface EgressList {
  name: string
  description: string
  /** Rules as a label writes them. */
  rules: readonly string[]
  /** Its hosts are those that this machine is set to; there are no rules besides. */
  from?: keyof HostsOnMachine
}

/** Hosts that this machine's own tools are set to. */
export interface HostsOnMachine {
  npm: readonly string[]
  apt: readonly string[]
}
export const noHostsOnMachine: HostsOnMachine = { npm: [], apt: [] }

/** What the bundled agents talk to: the interface of their makers, and where one logs in, as their programs name them (2026-11-30). */
const agents: readonly EgressList[] = [
  { name: 'claude', description: 'Claude Code: Anthropic’s API and login', rules: ['api.anthropic.com', 'console.anthropic.com', 'platform.claude.com', 'claude.ai', 'code.claude.com'] },
  { name: 'codex', description: 'Codex: OpenAI’s API and login', rules: ['api.openai.com', 'auth.openai.com', 'chatgpt.com', 'auth0.openai.com'] },
  { name: 'opencode', description: 'OpenCode: its models list, Zen and login', rules: ['opencode.ai', 'api.opencode.ai', 'models.opencode.ai', 'models.dev'] },
  { name: 'gemini', description: 'Gemini CLI: Google’s API and login', rules: ['generativelanguage.googleapis.com', 'cloudcode-pa.googleapis.com', 'oauth2.googleapis.com', 'accounts.google.com', 'www.googleapis.com'] },
  { name: 'pi', description: 'Pi: its own service and models list; the makers of models that it works with have lists of their own', rules: ['pi.dev', 'radius.pi.dev'] },
  { name: 'kimi', description: 'Kimi: Moonshot’s API and login', rules: ['api.kimi.com', 'api.moonshot.ai', 'api.moonshot.cn', 'auth.kimi.com', 'www.kimi.com', 'models.dev'] },
]

/** All lists, by the names that labels use. */
export const egressLists: readonly EgressList[] = [
  { name: 'agents', description: 'API and login of every agent that Paddock brings', rules: [...new Set(agents.flatMap(({ rules }) => rules))] },
  ...agents,
  { name: 'npm', description: 'The registry that npm on this machine is set to', rules: [], from: 'npm' },
  { name: 'pypi', description: 'The Python Package Index', rules: ['pypi.org', 'files.pythonhosted.org'] },
  { name: 'debian', description: 'The archives that apt on this machine is set to', rules: [], from: 'apt' },
  { name: 'crates', description: 'Rust’s crates and toolchains', rules: ['crates.io', 'index.crates.io', 'static.crates.io', 'static.rust-lang.org'] },
  { name: 'go', description: 'Go’s module proxy, checksums and toolchains', rules: ['proxy.golang.org', 'sum.golang.org', 'storage.googleapis.com', 'go.dev'] },
  { name: 'github', description: 'GitHub over HTTPS: repositories, API, releases, raw files', rules: ['github.com', 'api.github.com', 'codeload.github.com', 'raw.githubusercontent.com', 'objects.githubusercontent.com', 'release-assets.githubusercontent.com', 'ghcr.io', 'pkg-containers.githubusercontent.com'] },
]

/** What a label writes before the name of a list. */
export const listSign = '@'

/** The list of a name; undefined for a word that names none. */
export const findEgressList = (name: string) => egressLists.find((list) => list.name === name)
