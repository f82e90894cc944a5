import { parse, type ParseError, printParseErrorCode } from 'jsonc-parser'
import * as z from 'zod/mini'
import { placeOf } from '../containerfile/edit.ts'

const commandSchema = z.union([z.string(), z.array(z.string()), z.record(z.string(), z.union([z.string(), z.array(z.string())]))])

/** What is read of a devcontainer.json; all else is listed as not taken over. Source: containers.dev, "Dev Container metadata reference". */
const devcontainerSchema = z.looseObject({
  name: z.optional(z.string()),
  image: z.optional(z.string()),
  build: z.optional(z.looseObject({
    dockerfile: z.optional(z.string()),
    context: z.optional(z.string()),
    args: z.optional(z.record(z.string(), z.string())),
    target: z.optional(z.string()),
  })),
  /** The older place of `build.dockerfile`. */
  dockerFile: z.optional(z.string()),
  features: z.optional(z.record(z.string(), z.unknown())),
  mounts: z.optional(z.array(z.union([z.string(), z.looseObject({ source: z.optional(z.string()), target: z.string(), type: z.optional(z.string()) })]))),
  containerEnv: z.optional(z.record(z.string(), z.string())),
  remoteEnv: z.optional(z.record(z.string(), z.nullable(z.string()))),
  forwardPorts: z.optional(z.array(z.union([z.number(), z.string()]))),
  postCreateCommand: z.optional(commandSchema),
  hostRequirements: z.optional(z.looseObject({ cpus: z.optional(z.number()), memory: z.optional(z.string()) })),
})
export type Devcontainer = z.infer<typeof devcontainerSchema>
export type DevcontainerCommand = z.infer<typeof commandSchema>

/**
 * Reads a devcontainer.json: JSON with comments and trailing commas.
 * @throws {SyntaxError} naming the line, or the key whose value does not fit
 */
export function readDevcontainer(text: string): Devcontainer {
  const errors: ParseError[] = []
  const value: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true })
  const first = errors[0]
  if (first) throw new SyntaxError(`line ${placeOf(text, first.offset).line}: ${printParseErrorCode(first.error)}`)
  const parsed = devcontainerSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw new SyntaxError(`${parsed.error.issues[0]?.path.join('.') || 'the file'} has a value that does not fit`)
}
