import { lintProfile } from '../../shared/domain/profile-form/lint/lint-profile.ts'
import { parseProfile } from '../../shared/domain/profile-form/profile-form.ts'
import type { Scene } from './scene.ts'

const label = (options: readonly string[]) => `LABEL run="podman run \\\n${[...options, 'IMAGE'].join(' \\\n')}"\n`

const controls = [
  '--rm', '--interactive', '--tty', '--runtime krun', '--network pasta', '--annotation krun.use_passt=1', '--annotation krun.ram_mib=8192', '--annotation krun.cpus=4',
  '--cap-drop ALL', '--security-opt no-new-privileges', '--read-only', '--tmpfs /tmp:rw,noexec,nosuid,nodev,size=2048m', '--pids-limit 1024', '--user ai',
  '--userns keep-id:uid=1000,gid=1000', '--volume \\$HOME/.local/share/paddock/homes/default:/home/ai:z', '--volume \\$PWD:/home/ai/sandbox:z',
]

const steps = `FROM localhost/paddock:latest

# The browser tests need a browser of their own.
RUN apt-get update \\
 && apt-get install -y --no-install-recommends chromium ripgrep sqlite3 \\
 && rm -rf /var/lib/apt/lists/*

RUN npm install --global --no-audit --no-fund typescript@5.9.3 pnpm@10.2.0

ENV CHROME_BIN=/usr/bin/chromium
ENV DATABASE_URL="sqlite:///home/ai/sandbox/dev.db"

`

/** A profile with a little of everything. */
export const webText = `${steps}# Mounts, limits and flags.\n${label([...controls, '--volume \\$HOME/datasets:/mnt/datasets:ro,z', '--publish 127.0.0.1:3000:3000', '--workdir /home/ai/sandbox'])}`

/** One that gives away and lacks some. */
export const carelessText = `${steps.replace('FROM localhost/paddock:latest', 'FROM docker.io/library/node').replace('pnpm@10.2.0', 'pnpm')}COPY setup.sh /usr/local/bin/setup\n\n${label(
  [...controls.filter((option) => !/read-only|no-new-privileges/.test(option)), '--volume /run/user/1000/podman/podman.sock:/podman.sock', '--publish 0.0.0.0:3000:3000', '--workdir /home/ai/sandbox'],
)}`

const textOf = ({ texts }: Scene, name: string) => texts[name] ?? `FROM localhost/paddock:latest\n\nRUN apt-get update \\\n && apt-get install -y --no-install-recommends ${name}\n`

/** The calls of an editor, over the texts of a scene. */
export function profileAnswers(scene: Scene): Record<string, (input: never) => unknown> {
  const sourceOf = (name: string) => scene.profiles.find((profile) => profile.name === name)?.source ?? 'user'
  const inheritedLabel = label(controls).replaceAll('\\\n', '').replaceAll('\\$', '$').slice('LABEL run="'.length, -2)
  return {
    'profile.open': ({ name }: { name: string }) => ({ name, source: sourceOf(name), file: `/home/mira/.config/paddock/profiles/${name}/Containerfile`, text: textOf(scene, name), hash: textOf(scene, name), inheritedLabel }),
    'profile.lint'({ text }: { text: string }) {
      const at = text.indexOf('setup.sh')
      const line = text.slice(0, at).split('\n').length
      const missing = { level: 'error', rule: 'missing-file', message: 'setup.sh is not in the profile’s folder.', why: 'The build stops where it is copied.', line, column: 6, start: at, end: at + 'setup.sh'.length, fix: null }
      return { file: '', findings: [...lintProfile(parseProfile(text)), ...(at < 0 ? [] : [missing])], inheritedLabel }
    },
    'profile.save'({ name, text, hash }: { name: string; text: string; hash: string }) {
      if (hash !== textOf(scene, name)) return { kind: 'conflict', mine: text, theirs: textOf(scene, name), hash: textOf(scene, name) }
      scene.texts[name] = text
      return { kind: 'saved', file: '', hash: text, isCopy: sourceOf(name) === 'bundled' }
    },
    'draft.list': () => [],
    'draft.open': () => null,
    'draft.keep': () => ({}),
    'draft.drop': () => ({}),
    'mount.pick': () => '/media/mira/archive',
  }
}
