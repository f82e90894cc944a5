/**
 * The grammar of `podman run`'s options, as far as it is needed to tell a flag from its value and the image from the
 * command behind it. Source: podman-run(1) of Podman 5; flags that are not listed are taken to want a value.
 */
const booleanFlags = new Set([
  '--detach', '--disable-content-trust', '--env-host', '--help', '--http-proxy', '--init', '--interactive',
  '--no-healthcheck', '--no-hostname', '--no-hosts', '--oom-kill-disable', '--passwd', '--privileged', '--publish-all',
  '--quiet', '--read-only', '--read-only-tmpfs', '--replace', '--rm', '--rmi', '--rootfs', '--sig-proxy', '--tls-verify',
  '--tty', '--unsetenv-all',
])

const shortFlags: Record<string, string> = {
  a: '--attach', c: '--cpu-shares', d: '--detach', e: '--env', h: '--hostname', i: '--interactive', l: '--label',
  m: '--memory', P: '--publish-all', p: '--publish', q: '--quiet', t: '--tty', u: '--user', v: '--volume', w: '--workdir',
}

const aliases: Record<string, string> = { '--net': '--network', '--dns-opt': '--dns-option' }

/** One option in its long spelling; `value` is null for a switch that stands alone. */
export interface RunOption {
  flag: string
  value: string | null
}

/** What stands behind `podman run`: options, the image, and the command for it. */
export interface RunArguments {
  options: RunOption[]
  image: string
  command: string[]
}

/** An option and the words that it is written with. */
export interface WrittenOption extends RunOption {
  /** Index of its first word, and of the one behind its last. */
  words: [from: number, to: number]
  /** Where its value begins in its last word; null for a switch that stands alone. */
  valueAt: number | null
  /** True where another option stands in the same word, as in `-it`. */
  isShared: boolean
}

/**
 * Parses what follows `podman run`.
 * @throws {SyntaxError} when a value or the image is missing.
 */
export function parseRunArguments(argv: readonly string[]): RunArguments {
  const { options, imageAt } = parseWrittenOptions(argv)
  return { options: options.map(({ flag, value }) => ({ flag, value })), image: argv[imageAt]!, command: argv.slice(imageAt + 1) }
}

/**
 * The same, with the words that each option is written with.
 * @returns also the index of the image
 * @throws {SyntaxError} when a value or the image is missing.
 */
export function parseWrittenOptions(argv: readonly string[]): { options: WrittenOption[]; imageAt: number } {
  const options: WrittenOption[] = []
  let index = 0
  const take = (flag: string): string => {
    const value = argv[index++]
    if (value === undefined) throw new SyntaxError(`${flag} has no value`)
    return value
  }
  while (index < argv.length) {
    const word = argv[index]!
    if (word === '--') {
      index++
      break
    }
    if (!word.startsWith('-') || word === '-') break
    const from = index++
    const parsed = word.startsWith('--') ? [parseLong(word, take)] : parseShort(word, take)
    for (const option of parsed) {
      const valueAt = option.value === null ? null : argv[index - 1]!.length - option.value.length
      options.push({ ...option, words: [from, index], valueAt, isShared: parsed.length > 1 })
    }
  }
  if (argv[index] === undefined) throw new SyntaxError('the image is missing')
  return { options, imageAt: index }
}

function parseLong(word: string, take: (flag: string) => string): RunOption {
  const equals = word.indexOf('=')
  const spelled = equals < 0 ? word : word.slice(0, equals)
  const flag = aliases[spelled] ?? spelled
  if (equals >= 0) return { flag, value: word.slice(equals + 1) }
  return { flag, value: booleanFlags.has(flag) ? null : take(flag) }
}

/** `-it`, `-v SRC:DST`, `-vSRC:DST`, `-t=false`: switches may be clustered, and the first flag that wants a value takes the rest. */
function parseShort(word: string, take: (flag: string) => string): RunOption[] {
  const options: RunOption[] = []
  for (let at = 1; at < word.length; at++) {
    const flag = shortFlags[word[at]!] ?? `-${word[at]}`
    if (booleanFlags.has(flag) && word[at + 1] !== '=') {
      options.push({ flag, value: null })
      continue
    }
    const rest = word.slice(at + 1).replace(/^=/, '')
    options.push({ flag, value: rest === '' ? take(flag) : rest })
    break
  }
  return options
}

/**
 * Writes options back as arguments. Flag and value are one word, so that Podman reads them as they were judged here: it
 * would take the value of a switch that this table does not know (`--syslog --privileged`) for a flag of its own.
 */
export function formatRunOptions(options: readonly RunOption[]): string[] {
  return options.map(({ flag, value }) => (value === null ? flag : `${flag}=${value}`))
}

/** What Go's strconv.ParseBool, and so Podman, reads as false. */
const falseWords = new Set(['0', 'f', 'F', 'false', 'False', 'FALSE'])

/** True when text switches something off for Podman. */
export function isFalse(text: string): boolean {
  return falseWords.has(text)
}

/** True when a switch is on: `--tty`, `--tty=true`, the last one winning, as in Podman. */
export function isSwitchedOn(options: readonly RunOption[], flag: string): boolean {
  const last = options.findLast((option) => option.flag === flag)
  return last !== undefined && (last.value === null || !isFalse(last.value))
}

/** Whether an option makes Podman start a sandbox again by itself, once it has ended or seems ill. Source: podman-run(1). */
export function isNewStart({ flag, value }: RunOption): boolean {
  return (flag === '--restart' && value !== 'no') || (flag === '--health-on-failure' && value === 'restart')
}

/** All values of a flag in their order. */
export function valuesOf(options: readonly RunOption[], flag: string): string[] {
  return options.flatMap((option) => (option.flag === flag && option.value !== null ? [option.value] : []))
}

/** The value that counts for a flag that may be given once: the last. */
export function lastValueOf(options: readonly RunOption[], flag: string): string | undefined {
  return valuesOf(options, flag).at(-1)
}

/** `--annotation KEY=VALUE` as a map. */
export function annotationsOf(options: readonly RunOption[]): Map<string, string> {
  return new Map(valuesOf(options, '--annotation').map((text) => splitOnce(text, '=')))
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)]
}
