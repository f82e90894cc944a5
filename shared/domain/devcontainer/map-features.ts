/** What a feature becomes in a profile. */
export interface MappedFeature {
  apt: string[]
  agents: string[]
  /** What is lost; null for nothing. */
  note: string | null
}

/** Features by the last part of their name, and the Debian packages that give the same. */
const packages: Record<string, string[]> = {
  git: ['git'], 'git-lfs': ['git-lfs'], 'github-cli': ['gh'], node: ['nodejs', 'npm'], python: ['python3', 'python3-pip', 'python3-venv'], go: ['golang'],
  rust: ['rustc', 'cargo'], ruby: ['ruby-full'], java: ['default-jdk'], php: ['php-cli', 'composer'], 'common-utils': ['ca-certificates', 'curl', 'less', 'procps'],
  'aws-cli': ['awscli'], sshd: ['openssh-server'], hugo: ['hugo'], 'jq-likes': ['jq'], shellcheck: ['shellcheck'], sqlite: ['sqlite3'],
}

/** Features that a sandbox must not have, and why. */
const forbidden: Record<string, string> = {
  'docker-in-docker': 'a sandbox runs no container engine', 'docker-outside-of-docker': 'the engine’s socket is as good as your account',
  'docker-from-docker': 'the engine’s socket is as good as your account', 'kubectl-helm-minikube': 'a sandbox runs no container engine',
}

/**
 * A feature of a dev container as packages of Debian or as an agent. Pure.
 * @returns a clause of why it cannot be mapped, else what it becomes
 */
export function mapFeature(id: string, options: unknown): MappedFeature | string {
  const name = /([^/:@]+)(?:[:@][^/]*)?$/.exec(id)?.[1] ?? id
  const given = typeof options === 'object' && options !== null ? (options as Record<string, unknown>) : { version: options }
  if (forbidden[name] !== undefined) return forbidden[name]
  if (name === 'claude-code') return { apt: [], agents: ['claude-code'], note: 'give claude-code a version' }
  if (name === 'apt-packages' || name === 'apt-get-packages') {
    const listed = String(given.packages ?? '').split(/[\s,]+/).filter(Boolean)
    return { apt: listed, agents: [], note: null }
  }
  const mapped = packages[name]
  if (!mapped) return 'Paddock knows no packages for it'
  const version = given.version
  const isAny = version === undefined || ['latest', 'lts', 'os-provided', 'stable', true, ''].includes(version as string | boolean)
  return { apt: mapped, agents: [], note: isAny ? null : `Debian’s version is installed, not ${String(version)}` }
}
