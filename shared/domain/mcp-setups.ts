import { quoteWord } from './quote-word.ts'

/** What a `paddock mcp` is to serve. */
export interface McpSubject {
  /** Host path of a project; null for a sandbox without one. */
  project: string | null
  /** Podman's id of a sandbox; only used where there is no project. */
  sandbox: string | null
}

/** How one client is told of the server. */
export interface McpSetup {
  client: string
  /** Where the text belongs, as one would write it; null for a command to run. */
  file: string | null
  /** How one gets there and what comes after, a sentence or two. */
  how: string
  text: string
}

/**
 * How to add the server to each client. Each text goes into a file of the person's own: one in the project could be changed by
 * what runs in the sandbox, and the client would start whatever it then says. Pure.
 * @param command what starts `paddock`, whole paths
 * @see https://code.claude.com/docs/en/mcp https://modelcontextprotocol.io/quickstart/user https://cursor.com/docs/mcp
 * https://code.visualstudio.com/docs/agents/reference/mcp-configuration https://github.com/openai/tunnel-client/blob/main/docs/onboarding.md
 */
export function mcpSetups(command: readonly string[], { project, sandbox }: McpSubject, isReadOnly: boolean): McpSetup[] {
  const words = [...command, 'mcp', ...(project !== null ? ['--project', project] : ['--sandbox', (sandbox ?? '').slice(0, 12)]), ...(isReadOnly ? ['--read-only'] : [])]
  const name = serverName(project, sandbox)
  const [program = '', ...args] = words
  const entry = { command: program, args }
  const shell = words.map(quoteWord).join(' ')
  return [
    {
      client: 'Claude Code',
      file: null,
      how: 'Run it in a terminal of this machine. Claude Code then offers the tools in this project, to you alone.',
      text: `${project === null ? '' : `cd ${quoteWord(project)} && `}claude mcp add paddock -- ${shell}`,
    },
    {
      client: 'Claude Desktop',
      file: '~/.config/Claude/claude_desktop_config.json',
      how: 'Settings, Developer, Edit Config opens it. Start Claude Desktop again afterwards.',
      text: json({ mcpServers: { [name]: entry } }),
    },
    { client: 'Cursor', file: '~/.cursor/mcp.json', how: 'Save it, and switch the server on in Cursor’s settings if it is not.', text: json({ mcpServers: { [name]: entry } }) },
    { client: 'VS Code', file: '~/.config/Code/User/mcp.json', how: '“MCP: Open User Configuration” in its command palette opens it.', text: json({ servers: { [name]: { type: 'stdio', ...entry } } }) },
    {
      client: 'ChatGPT',
      file: null,
      how: 'ChatGPT reaches it through OpenAI’s Secure MCP Tunnel, and so do all requests and answers. Make a tunnel in your organization’s settings, put its id in the place of TUNNEL_ID, and choose it in ChatGPT’s connector settings while the second command runs.',
      text: [`tunnel-client init --sample sample_mcp_stdio_local --profile ${name} --tunnel-id TUNNEL_ID --mcp-command ${quoteWord(shell)}`, `tunnel-client run --profile ${name}`].join('\n'),
    },
  ]
}

const json = (value: object) => JSON.stringify(value, null, 2)

/** A name that every client takes, another one for each project: of two of one name the second would take the first's place. */
function serverName(project: string | null, sandbox: string | null): string {
  const word = (project?.split('/').findLast(Boolean) ?? sandbox?.slice(0, 12) ?? '').toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '')
  return ['paddock', word.slice(0, 40), project === null ? '' : shortHash(project)].filter(Boolean).join('-')
}

/** Tells paths apart, and keeps nothing secret. Source: FNV-1a of 32 bits, here over UTF-16. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash.toString(36)
}
