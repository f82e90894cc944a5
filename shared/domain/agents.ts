/** The agents that Paddock knows, and the npm package that each is. */
export const agents = [
  { id: 'claude-code', name: 'Claude Code', npm: '@anthropic-ai/claude-code' },
  { id: 'codex', name: 'Codex', npm: '@openai/codex' },
  { id: 'opencode', name: 'OpenCode', npm: 'opencode-ai' },
  { id: 'gemini-cli', name: 'Gemini CLI', npm: '@google/gemini-cli' },
  { id: 'pi', name: 'Pi', npm: '@earendil-works/pi-coding-agent' },
  { id: 'kimi', name: 'Kimi', npm: '@moonshot-ai/kimi-code' },
] as const

/** A package as npm names it, and the version behind it; null for none. Pure. */
export function splitNpmSpec(spec: string): { name: string; version: string | null } {
  const at = spec.indexOf('@', 1)
  return at < 0 ? { name: spec, version: null } : { name: spec.slice(0, at), version: spec.slice(at + 1) }
}
