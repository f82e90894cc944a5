import type { ShellWord } from '../containerfile/shell-commands.ts'

/** How packages of one kind are named in a shell command, and how a new step names them. */
export interface PackageManager {
  /** Words of the command, environment and `sudo` taken away; the packages among them, or null where it installs none. */
  packagesOf(words: readonly ShellWord[]): ShellWord[] | null
  /** Whether a command of the same step exists only for the installing. */
  isHousekeeping(words: readonly string[]): boolean
  isPackage(text: string): boolean
  /** What a package looks like, for a person. */
  example: string
  newStep(packages: readonly string[]): string
  /** One package a command. */
  isSingle?: boolean
}

/** Words that are no options, and no values of options. */
function operands(words: readonly ShellWord[], withValue: ReadonlySet<string>): ShellWord[] {
  return words.filter(({ text }, index) => !text.startsWith('-') && !withValue.has(words[index - 1]?.text ?? ''))
}

const set = (text: string) => new Set(text.split(' '))

/** Packages behind a subcommand; words that are paths, files or filled in by the shell are none. */
function behind(words: readonly ShellWord[], verbs: ReadonlySet<string>, withValue: ReadonlySet<string>, isPackage: (text: string) => boolean): ShellWord[] | null {
  const [verb, ...rest] = operands(words, withValue)
  return verb && verbs.has(verb.text) ? rest.filter(({ text, isPlain }) => isPlain && isPackage(text)) : null
}

const installVerb = set('install')
const aptValues = set('-o --option -t --target-release -c --config-file')
const isAptPackage = (text: string) => /^[a-z0-9][a-z0-9.+-]+(:[a-z0-9]+)?([=/][\w.+:~-]+)?$/.test(text)

const apt: PackageManager = {
  isPackage: isAptPackage,
  example: 'ripgrep, or ripgrep=14.1.1-1',
  packagesOf: ([program, ...rest]) => (/^(apt|apt-get)$/.test(program!.text) ? behind(rest, installVerb, aptValues, isAptPackage) : null),
  isHousekeeping: ([program, ...rest]) =>
    (/^(apt|apt-get)$/.test(program!) && rest.some((word) => /^(update|upgrade|dist-upgrade|clean|autoclean|autoremove)$/.test(word))) ||
    (program === 'rm' && rest.every((word) => /^-|^\/var\/(lib\/apt\/lists|cache\/apt)(\/|$)/.test(word))) || isPreamble([program!, ...rest]),
  newStep: (packages) => `RUN apt-get update \\\n && apt-get install -y --no-install-recommends ${packages.join(' ')} \\\n && rm -rf /var/lib/apt/lists/*`,
}

const isPreamble = ([program, ...rest]: readonly string[]) => (program === 'set' && rest.every((word) => /^[-+]|^pipefail$/.test(word))) || program === 'export'

const isNpmPackage = (text: string) => /^(@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~][\w.~-]*(@[\w.^~*<>=|-]+)?$/i.test(text) && !/\.tgz$|\.tar\.gz$/.test(text)

const npmVerbs = set('install i in ins add isntall')
const npmValues = set('--prefix --registry --cache --loglevel --tag --userconfig --location --cafile --omit --include')

const npm: PackageManager = {
  isPackage: isNpmPackage,
  example: 'typescript@5.9.3',
  packagesOf([program, ...rest]) {
    if (program!.text !== 'npm') return null
    const isGlobal = rest.some(({ text }, index) => /^(-[a-z]*g|--global|--location=global)$/.test(text) || (text === 'global' && rest[index - 1]?.text === '--location'))
    return isGlobal ? behind(rest, npmVerbs, npmValues, isNpmPackage) : null
  },
  isHousekeeping: (words) => (words[0] === 'npm' && words[1] === 'cache') || (words[0] === 'rm' && words.slice(1).every((word) => /^-|^(~|\/root)\/\.npm/.test(word))) || isPreamble(words),
  newStep: (packages) => `RUN npm install --global --no-audit --no-fund ${packages.map(shellWord).join(' ')}`,
}

const isPipPackage = (text: string) =>
  /^[A-Za-z0-9]([\w.-]*[A-Za-z0-9])?(\[[\w,.\s-]*\])?\s*((===|[=!<>~]=|[<>])\s*[\w.*+!-]+(\s*,\s*([=!<>~]=|[<>])\s*[\w.*+!-]+)*)?$/.test(text) && !/\.(whl|txt|zip|gz)$/.test(text)
const pipValues = set(
  '-r --requirement -c --constraint -i --index-url --extra-index-url -f --find-links -t --target --prefix --root --trusted-host --platform -p --python --python-version --cache-dir --timeout --retries --progress-bar --upgrade-strategy -e --editable --index --default-index --only-binary --no-binary --log --proxy --cert --with',
)

const pip: PackageManager = {
  isPackage: isPipPackage,
  example: 'httpie==3.2.4',
  packagesOf(words) {
    const [program, second, third] = [words[0]!.text, words[1]?.text, words[2]?.text]
    const skipped = /^pip[\d.]*$/.test(program) ? 1 : /^python[\d.]*$/.test(program) && second === '-m' && third === 'pip' ? 3 : program === 'uv' && second === 'pip' ? 2 : 0
    return skipped === 0 ? null : behind(words.slice(skipped), installVerb, pipValues, isPipPackage)
  },
  isHousekeeping: (words) => /^(pip[\d.]*|uv) cache /.test(words.join(' ')) || (words[0] === 'rm' && words.slice(1).every((word) => /^-|\/\.cache/.test(word))) || isPreamble(words),
  newStep: (packages) => `RUN pip install --no-cache-dir --break-system-packages ${packages.map(shellWord).join(' ')}`,
}

const uvTool: PackageManager = {
  isPackage: isPipPackage,
  example: 'ruff==0.14.6',
  isSingle: true,
  packagesOf: ([program, tool, ...rest]) => (program!.text === 'uv' && tool?.text === 'tool' ? behind(rest, installVerb, pipValues, isPipPackage) : null),
  isHousekeeping: pip.isHousekeeping,
  newStep: (packages) => packages.map((name) => `RUN uv tool install ${shellWord(name)}`).join('\n\n'),
}

/** A package as a word of a shell command. */
export const shellWord = (text: string) => (/^[\w@%+=:,./~^-]+$/.test(text) ? text : `"${text}"`)

export const packageManagers = { apt, npm, pip, uvTool }
