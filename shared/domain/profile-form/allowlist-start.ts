import { listSign } from '../egress-lists.ts'
import type { ProfileForm } from './profile-form.ts'

/** Lists of the package managers that an image brings along: what a profile is built on does not stand in its own text. */
const broughtBy: readonly (readonly [base: RegExp, lists: readonly string[]])[] = [
  [/^localhost\/(paddock-base|paddock:(latest|desktop)$)/, ['npm', 'pypi']],
  [/(^|\/)node([:@]|$)/, ['npm']],
  [/(^|\/)python([:@]|$)/, ['pypi']],
  [/(^|\/)golang([:@]|$)/, ['go']],
  [/(^|\/)rust([:@]|$)/, ['crates']],
]

/** Lists of what Debian has as a package. */
const packagedAs: readonly (readonly [packages: RegExp, list: string])[] = [
  [/^(nodejs|npm|yarnpkg)$/, 'npm'],
  [/^(python3-pip|python3-venv|pipx)$/, 'pypi'],
  [/^(cargo|rustc|rustup)$/, 'crates'],
  [/^golang(-|$)/, 'go'],
]

/**
 * What an allowlist starts from: the agents, and the package managers that the profile has as far as its form tells. It is
 * of use at once, and a person takes out what it need not reach. Pure.
 */
export function allowlistStart({ values }: ProfileForm): string[] {
  const { base, apt, npm, pip, uvTools, agents } = values
  const packages = listed(apt).map((spec) => spec.split(/[=/:]/, 1)[0]!)
  const found = new Set([
    ...(base.kind === 'value' ? broughtBy.flatMap(([image, lists]) => (image.test(base.value) ? lists : [])) : []),
    ...(listed(npm).length + listed(agents).length > 0 ? ['npm'] : []),
    ...(listed(pip).length + listed(uvTools).length > 0 ? ['pypi'] : []),
    ...packagedAs.flatMap(([names, list]) => (packages.some((name) => names.test(name)) ? [list] : [])),
    ...(packages.length > 0 ? ['debian'] : []),
  ])
  return ['agents', ...found].map((name) => `${listSign}${name}`)
}

const listed = (state: ProfileForm['values']['apt']) => (state.kind === 'value' ? state.value : [])
