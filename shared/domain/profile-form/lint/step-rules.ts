import { splitNpmSpec } from '../../agents.ts'
import { logicalArguments } from '../../containerfile/instructions.ts'
import { profileOfImage } from '../../profile.ts'
import { argumentsOf, type Document, fromWords, imageStages } from '../containerfile-document.ts'
import { removeInstruction } from '../instruction-edits.ts'
import { packagesIn } from '../package-lists.ts'
import { packageManagers } from '../package-managers.ts'
import type { Found } from './lint-profile.ts'

/** What the steps of a build do that a sandbox should not be built with. */
export function stepFindings(document: Document): Found[] {
  return [...baseFindings(document), ...npmFindings(document), ...userFindings(document)]
}

function baseFindings({ text, stages }: Document): Found[] {
  return stages.flatMap(({ from, image, parent }): Found[] => {
    const args = logicalArguments(text, from)
    const word = fromWords(args).image
    if (!word || parent || image === '' || image === 'scratch' || profileOfImage(image) !== null || !isFloating(image)) return []
    return [{
      level: 'error', rule: 'latest', fix: null, start: args.at[word.start]!, end: args.at[word.end - 1]! + 1,
      message: `${image} is not pinned to a version.`,
      why: 'The next build may get another system than the one that you looked at.',
    }]
  })
}

/** Neither a digest nor a tag that says more than `latest`. */
function isFloating(image: string): boolean {
  if (image.includes('@')) return false
  const tag = /:([^/]*)$/.exec(image)?.[1]
  return tag === undefined || tag === 'latest'
}

const exactVersion = /^\d+\.\d+\.\d+([-+][\w.+-]+)?$/

function npmFindings({ text, stages }: Document): Found[] {
  const steps = stages.flatMap(({ instructions }) => instructions.filter(({ keyword }) => keyword === 'RUN'))
  const packages = steps.flatMap((step) => packagesIn(text, step, packageManagers.npm))
  return packages
    .filter((word) => !exactVersion.test(splitNpmSpec(word.text).version ?? ''))
    .map((word): Found => ({
      level: 'error', rule: 'npm-unpinned', fix: null, start: word.start, end: word.end,
      message: `${word.text} is installed without an exact version.`,
      why: 'Whatever is published under that name next is built in, a stolen account’s work too.',
    }))
}

function userFindings(document: Document): Found[] {
  const stage = imageStages(document).find(({ instructions }) => instructions.some(({ keyword }) => keyword === 'USER'))
  const last = stage?.instructions.findLast(({ keyword }) => keyword === 'USER')
  // Without any USER an image starts as root, which the label's --user and the entrypoint are made for.
  if (!last || /^(ai|root|0)(:|$)/.test(argumentsOf(document, last))) return []
  return [{
    level: 'error', rule: 'user', start: last.span.start, end: last.span.end,
    message: `The image’s user is ${argumentsOf(document, last)}, not ai.`,
    why: 'The entrypoint and the home are made for ai; as another user, the agent owns neither its home nor the project.',
    fix: { title: 'Remove this USER', edits: [removeInstruction(document, last)] },
  }]
}
