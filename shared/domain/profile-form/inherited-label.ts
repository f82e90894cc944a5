import { split } from 'shlex'
import { spell, type Style } from '../containerfile/glyphs.ts'
import { parseWrittenOptions } from '../run-flags.ts'

const style: Style = { builder: '"', shell: 'bare' }

/**
 * Writes a run label as Paddock's own profiles have it, one argument a line.
 * @param value the label as an image carries it
 * @returns null for a label that cannot be used
 */
export function writeLabel(value: string): string | null {
  try {
    const words = split(value)
    if (words[0] !== 'podman' || words[1] !== 'run') return null
    const { options, imageAt } = parseWrittenOptions(words.slice(2))
    const spelled = words.slice(2).map((word) => (word === '' ? "''" : spell(word, style)))
    if (spelled.includes(null)) return null
    const starts = options.map((option) => option.words).filter(([from], index, all) => from !== all[index - 1]?.[0])
    const lines = starts.map(([from, to]) => spelled.slice(from, to).join(' '))
    return ['LABEL run="podman run', ...lines, `${spelled.slice(imageAt).join(' ')}"`].join(' \\\n')
  } catch {
    return null
  }
}
