import type { Span } from '../containerfile/edit.ts'
import { expandWord } from '../containerfile/expand-word.ts'
import { logicalArguments } from '../containerfile/instructions.ts'
import { type Document, variablesAt } from './containerfile-document.ts'

/** A path or pattern that a build reads from the profile's folder, and where the text names it. */
export interface CopySource extends Span {
  path: string
}

/** Sources of COPY, ADD and bind mounts of RUN; not those that come from a stage, an image or the network. Pure. */
export function copySources(document: Document): CopySource[] {
  return document.stages.flatMap((stage) =>
    stage.instructions.flatMap((instruction) => {
      const { keyword, heredocs } = instruction
      if (keyword !== 'COPY' && keyword !== 'ADD' && keyword !== 'RUN') return []
      const args = logicalArguments(document.text, instruction)
      const words = [...args.text.matchAll(/\S+/g)].map((match) => ({ text: match[0], start: match.index }))
      const flags = words.slice(0, words.findIndex(({ text }) => !text.startsWith('--')))
      const named = keyword === 'RUN' ? flags.flatMap(boundSource) : heredocs.length > 0 || flags.some(({ text }) => text.startsWith('--from=')) ? [] : sourcesOf(args.text, words.slice(flags.length))
      if (named.length === 0) return []
      const variables = variablesAt(document, stage, instruction)
      return named.map(({ text, start, length }) => ({ path: expandWord(text, variables), start: args.at[start]!, end: args.at[start + length - 1]! + 1 }))
    }),
  )
}

interface Named {
  text: string
  start: number
  length: number
}

type Word = { text: string; start: number }

const remote = /^[a-z+]+:\/\/|^git@/

function sourcesOf(args: string, words: readonly Word[]): Named[] {
  const first = words[0]
  const all = (first && jsonWords(args, first.start)) ?? words.map(({ text, start }) => ({ text, start, length: text.length }))
  return all.slice(0, -1).filter(({ text }) => !remote.test(text))
}

/** The JSON form; null where it is none, which a builder then reads as plain words. */
function jsonWords(args: string, start: number): Named[] | null {
  if (args[start] !== '[') return null
  try {
    JSON.parse(args.slice(start))
  } catch {
    return null
  }
  return [...args.slice(start).matchAll(/"(?:\\.|[^"\\])*"/g)].map((match) => ({ text: JSON.parse(match[0]) as string, start: start + match.index, length: match[0].length }))
}

function boundSource({ text, start }: Word): Named[] {
  if (!text.startsWith('--mount=')) return []
  const options = new Map(text.slice('--mount='.length).split(',').map((option) => [option.split('=')[0]!, option.split('=').slice(1).join('=')]))
  if ((options.get('type') ?? 'bind') !== 'bind' || options.has('from')) return []
  return [{ text: options.get('source') ?? options.get('src') ?? '.', start, length: text.length }]
}
