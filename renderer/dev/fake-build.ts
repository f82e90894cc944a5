import type { Progress } from '../../shared/contract/contract.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'

const log = (text: string): Progress => ({ kind: 'log', text })
const step = (text: string): Progress => ({ kind: 'step', text })

/** What building an image tells. */
export const buildLines: Progress[] = [
  step('Building paddock-base:latest'),
  log('STEP 1/14: FROM localhost/paddock-debian:13'),
  log('STEP 2/14: RUN apt-get update && apt-get install --yes --no-install-recommends ca-certificates curl git openssh-server'),
  log('Get:1 https://deb.example.org/debian trixie InRelease [140 kB]'),
  log('Get:2 https://deb.example.org/debian trixie/main amd64 Packages [9669 kB]'),
  log('Fetched 9809 kB in 2s (5120 kB/s)'),
  ...Array.from({ length: 40 }, (_, at) => log(`Setting up lib-example${at + 1}:amd64 (1.${at}.0-1) ...`)),
  log('COMMIT paddock-base:latest'),
  step('Building paddock:latest'),
  log('STEP 1/6: FROM localhost/paddock-base:latest'),
  log('STEP 2/6: RUN npm install --global @anthropic-ai/claude-code @openai/codex'),
  log('npm http fetch GET 200 https://registry.example.org/@anthropic-ai%2fclaude-code'),
]

export const failedBuild: ErrorReport = {
  code: 'build-failed',
  message: 'npm could not reach registry.example.org, because the name was not resolved.',
  hint: 'Check the network of this machine, then try again; what was built so far is kept.',
  command: ['podman', 'build', '--tag', 'localhost/paddock:latest', '--file', 'Containerfile', '.'],
  exitCode: 1,
  stderrTail: 'npm error code EAI_AGAIN\nnpm error request to https://registry.example.org/ failed',
}

/** What building the text of a scene's editor tells. */
export const editedBuildLines: Progress[] = [
  step('Building localhost/paddock:web from profile web'),
  log('STEP 1/12: FROM localhost/paddock:latest'),
  log('STEP 2/12: RUN apt-get update  && apt-get install -y --no-install-recommends chromium ripgrep sqlite3  && rm -rf /var/lib/apt/lists/*'),
  ...Array.from({ length: 12 }, (_, at) => log(`Setting up lib-example${at + 1}:amd64 (1.${at}.0-1) ...`)),
  log('--> 3f0c1a77be21'),
  log('STEP 3/12: RUN npm install --global --no-audit --no-fund typescript@5.9.3 pnpm@10.2.0'),
  log('npm error code E404'),
  log('npm error 404 Not Found - GET https://registry.example.org/pnpm/10.2.0'),
]

export const failedEdit: ErrorReport = {
  code: 'build-failed',
  message: 'Building localhost/paddock:web failed at step 3/12.',
  hint: 'npm did not find that version of the package.',
  command: ['podman', 'build', '--tag', 'localhost/paddock:web', '--file', 'Containerfile', '.'],
  exitCode: 1,
  stderrTail: 'npm error 404 Not Found - GET https://registry.example.org/pnpm/10.2.0\nError: building at STEP "RUN npm install": exit status 1',
}
