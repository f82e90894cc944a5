import type { Edit } from '../containerfile/edit.ts'
import { type Refusal, rewrite, spell } from '../containerfile/glyphs.ts'
import { cutWords, separatorBetween } from '../containerfile/word-edits.ts'
import type { RunOption } from '../run-flags.ts'
import { joinEdits } from './join-edits.ts'
import type { LabelOption, RunLabelSource } from './run-label-source.ts'

/** The order of options in the labels that come with Paddock: a new one goes where a reader would look for it. */
const order = [
  '--rm', '--interactive', '--tty', '--runtime', '--network', '--annotation krun.use_passt', '--annotation krun.ram_mib', '--annotation krun.cpus',
  '--annotation', '--cap-drop', '--security-opt', '--read-only', '--tmpfs', '--pids-limit', '--user', '--userns', '--volume home', '--volume', '--mount', '--publish', '--workdir',
]

function rankOf({ flag, value }: RunOption): number {
  const key = flag === '--volume' && /:\/home\/ai(:|$)/.test(value!) ? '--volume home' : `${flag} ${value?.split('=')[0] ?? ''}`
  const exact = order.indexOf(key)
  if (exact >= 0) return exact
  const byFlag = order.indexOf(flag)
  return byFlag < 0 ? order.length : byFlag
}

/** Replaces the value of an option. */
export function setOptionValue(source: string, option: LabelOption, value: string): Edit[] | Refusal {
  return rewrite(source, option.glyphs, value.split(''))
}

/** Takes options out and puts others in, each on a line of its own where the label is written that way. */
export function changeOptions(source: string, label: RunLabelSource, removed: readonly LabelOption[], added: readonly RunOption[]): Edit[] | Refusal {
  const kept = label.options.filter((option) => !removed.includes(option))
  return joinEdits([removeOptions(source, label, removed), ...added.map((option) => addOption(source, label, kept, option))])
}

export const addOptions = (source: string, label: RunLabelSource, added: readonly RunOption[]) => changeOptions(source, label, [], added)

function addOption(source: string, label: RunLabelSource, kept: readonly LabelOption[], option: RunOption): Edit[] | Refusal {
  const rank = rankOf(option)
  const before = kept.findLast((one) => rankOf(one) <= rank)
  const previous = (before?.words[1] ?? 2) - 1
  const isJoined = kept.some(({ flag, value, words }) => flag === option.flag && value !== null && words[1] - words[0] === 1)
  const written = writeOption(option, isJoined).map((word) => spell(word, label.style))
  if (written.includes(null)) return { why: `the quotes around the label cannot hold ${option.flag} ${option.value}` }
  const { end } = label.words[previous]!.span
  const blank = label.style.builder === 'bare' ? '\\ ' : ' '
  return [{ start: end, end, text: `${gapAfter(source, label, previous)}${written.join(blank)}` }]
}

function writeOption({ flag, value }: RunOption, isJoined: boolean): string[] {
  if (value === null) return [flag]
  return isJoined ? [`${flag}=${value}`] : [flag, value]
}

/** How words are parted behind a word; where the options end, as before the image. */
function gapAfter(source: string, { words, imageAt }: RunLabelSource, index: number): string {
  const at = Math.min(index, imageAt - 1)
  return separatorBetween(source, words[at]!.span, words[at + 1]!.span)
}

/** Takes options out, with the line that each stands on. */
export function removeOptions(source: string, { words }: RunLabelSource, removed: readonly LabelOption[]): Edit[] | Refusal {
  const shared = removed.find(({ isShared }) => isShared)
  if (shared) return { why: `${shared.flag} is written in one word with others` }
  return cutWords(source, words.map(({ span }) => span), removed.map((option) => option.words))
}
