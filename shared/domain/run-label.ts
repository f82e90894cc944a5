import { split } from 'shlex'
import { PaddockError } from '../errors/paddock-error.ts'
import { decodeCsv, encodeCsv } from './csv.ts'
import { formatRunOptions, parseRunArguments, type RunArguments, type RunOption } from './run-flags.ts'

/** What the variables of a run label stand for at this launch. */
export interface LabelVariables {
  /** Absolute path of the project folder. */
  PWD: string
  /** Absolute path of the person's home. */
  HOME: string
  USER: string
  /** Full image reference, e.g. `localhost/paddock:latest`. */
  IMAGE: string
  NAME: string
}

const variableNames: ReadonlySet<string> = new Set<keyof LabelVariables>(['PWD', 'HOME', 'USER', 'IMAGE', 'NAME'])

const variablePattern = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$([A-Za-z_][A-Za-z0-9_]*)/g

/**
 * Parses a run label into `podman run`'s options, image and command, its variables still in place.
 * Paddock runs nothing but `podman run`: `podman container runlabel` would run any first word on the host.
 * @throws {PaddockError} `label-invalid`
 */
export function parseRunLabel(label: string): RunArguments {
  const words = splitWords(label)
  if (words[0] !== 'podman' || words[1] !== 'run') {
    const found = words.slice(0, 2).join(' ') || 'nothing'
    throw invalid(`it begins with "${found}", not with "podman run"`)
  }
  const parsed = parseWords(words.slice(2).map(withDollar))
  // An unknown variable becomes nothing: Podman would read `$X--privileged` as an option, and nobody has judged it.
  if (meantWord(parsed.image).startsWith('-')) throw invalid(`its image ${parsed.image} would become an option`)
  return parsed
}

function parseWords(words: readonly string[]): RunArguments {
  try {
    return parseRunArguments(words)
  } catch (error) {
    throw invalid((error as Error).message)
  }
}

/** A word as it will be at launch, but for the variables that get values then: unknown ones become nothing. */
export function meantWord(word: string): string {
  return replaceVariables(word, (name) => `$${name}`)
}

/** A whole word `IMAGE` or `NAME` is a variable too, wherever it stands: `--name NAME` is the classic label. */
function withDollar(word: string): string {
  return /^(IMAGE|NAME)$/.test(word) ? `$${word}` : word.replace(/^(IMAGE|NAME)=\1$/, '$1=$$$1')
}

function splitWords(label: string): string[] {
  try {
    return split(label)
  } catch {
    throw invalid('a quote is not closed')
  }
}

function invalid(why: string): PaddockError {
  return new PaddockError({
    code: 'label-invalid',
    message: `The run label cannot be used: ${why}.`,
    hint: 'Mend LABEL run in the Containerfile; it must read: podman run [OPTIONS] IMAGE [COMMAND].',
  })
}

/**
 * Puts values in for the variables, after the label was split into words, so that no character of a path is ever taken
 * for syntax. As `podman container runlabel` does, an unknown variable becomes nothing.
 * Source: podman's pkg/domain/infra/abi/containers_runlabel.go.
 */
export function expandRunLabel(parsed: RunArguments, variables: LabelVariables): RunArguments {
  const expand = (text: string) => replaceVariables(text, (name) => variables[name])
  return {
    options: parsed.options.map((option) => expandOption(option, expand)),
    image: expand(parsed.image),
    command: parsed.command.map(expand),
  }
}

/** Replaces every `$NAME` and `${NAME}` of a run label; an unknown variable becomes nothing. */
function replaceVariables(text: string, valueOf: (name: keyof LabelVariables) => string): string {
  return text.replace(variablePattern, (_all, braced?: string, bare?: string) => {
    const name = (braced ?? bare)!
    return variableNames.has(name) ? valueOf(name as keyof LabelVariables) : ''
  })
}

function expandOption({ flag, value }: RunOption, expand: (text: string) => string): RunOption {
  if (value === null) return { flag, value }
  // These are taken apart before their variables get values: a path may hold the separator itself.
  if (flag === '--volume') return bindMount(value.split(':').map(expand))
  if (flag === '--mount') return { flag, value: encodeCsv(decodeCsv(value).map(expand)) }
  return { flag, value: expand(value) }
}

/** Characters that `--volume` and its callers in Podman would take for syntax. */
const oddInVolume = /[:,"\\\n\r]/

/**
 * A bind mount or volume as an option. `--volume` cannot carry a colon in a path, so odd paths go through `--mount`,
 * whose value is a line of CSV (RFC 4180) and can quote anything.
 * @param parts source (absent for an anonymous volume), destination, options separated by commas
 */
export function bindMount(parts: readonly string[]): RunOption {
  const [source, destination, options] = parts
  const plain = { flag: '--volume', value: parts.join(':') }
  if (source === undefined || destination === undefined || !(oddInVolume.test(source) || oddInVolume.test(destination))) return plain
  // As in `--volume`: what does not look like a path is the name of a volume.
  const type = /^[/.]/.test(source) ? 'bind' : 'volume'
  const fields = [`type=${type}`, `source=${source}`, `destination=${destination}`, ...mountOptions(options)]
  return { flag: '--mount', value: encodeCsv(fields) }
}

const mountSpelling: Record<string, string> = { z: 'relabel=shared', Z: 'relabel=private', ro: 'ro=true', rw: 'ro=false', U: 'U=true' }

function mountOptions(options: string | undefined): string[] {
  if (!options) return []
  return options.split(',').map((option) => mountSpelling[option] ?? option)
}

/** The whole command line of a label's parts. */
export function formatRunCommand({ options, image, command }: RunArguments): string[] {
  return ['run', ...formatRunOptions(options), image, ...command]
}
