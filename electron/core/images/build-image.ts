import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallContext } from '../../../shared/contract/contract.ts'
import { lastValueOf } from '../../../shared/domain/run-flags.ts'
import { parseRunLabel } from '../../../shared/domain/run-label.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { hintFor } from '../engine/hints.ts'
import { removeContainer } from '../engine/containers.ts'
import { podmanFailed, type Podman } from '../engine/podman.ts'
import type { Definition } from '../profiles/definition.ts'
import type { Profile } from '../profiles/find-profiles.ts'
import { type Inputs, sourceHash } from '../profiles/inputs.ts'
import { imageLabels } from '../profiles/staleness.ts'
import { caBuildOptions, hostCaBundle, npmrcForBuild } from './host-network.ts'

export interface BuildRequest {
  definition: Definition
  inputs: Inputs
  buildArgs: Readonly<Record<string, string>>
  /** The label that the image will carry, if any. */
  runLabel: string | undefined
  /** Reuse no cached layer, and look for a newer base where it comes from a registry. */
  fromScratch: boolean
}

const buildTimeoutMs = 2 * 60 * 60_000
const tailLines = 20

/**
 * Builds a profile's image. The old image keeps its name until the new one is whole and was looked into: one that is
 * refused, or whose preparing is interrupted, never gets a name and so is never launched.
 * @throws {PaddockError} `build-failed` naming the step, `cancelled`
 */
export async function buildImage(podman: Podman, request: BuildRequest, context: CallContext): Promise<void> {
  const { profile } = request.definition
  context.onProgress({ kind: 'step', text: `Building ${profile.image} from profile ${profile.name}` })
  const scratch = await mkdtemp(join(tmpdir(), 'paddock-build-'))
  try {
    const idFile = join(scratch, 'image-id')
    await buildWith(podman, request, context, ['--iidfile', idFile, ...(await npmSecret(scratch))])
    const id = (await readFile(idFile, 'utf8')).trim().replace(/^sha256:/, '')
    if (request.runLabel !== undefined) await prepareImage(podman, profile, id, request.runLabel, context)
    await podman.run(['tag', id, profile.image])
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function buildWith(podman: Podman, request: BuildRequest, context: CallContext, ownOptions: string[]): Promise<void> {
  const { definition, inputs, buildArgs, fromScratch } = request
  const { profile, containerfile } = definition
  const args = Object.entries(buildArgs).filter(([name]) => containerfile.declaredArgs.has(name))
  const isLocal = containerfile.base.startsWith('localhost/')
  const steps = new StepFollower()
  const ended = await podman.try(
    [
      'build', '--file', join(profile.folder, 'Containerfile'),
      '--label', `${imageLabels.profile}=${profile.name}`,
      '--label', `${imageLabels.source}=${sourceHash(inputs)}`,
      '--label', `${imageLabels.inputs}=${JSON.stringify(inputs)}`,
      ...args.flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
      ...caBuildOptions(containerfile.declaredArgs, hostCaBundle()),
      ...ownOptions,
      ...(fromScratch ? ['--no-cache', ...(isLocal ? [] : ['--pull=newer'])] : []),
      profile.folder,
    ],
    {
      timeoutMs: buildTimeoutMs,
      signal: context.signal,
      keepOutput: false,
      onLine: (text) => {
        steps.add(text)
        context.onProgress({ kind: 'log', text })
      },
    },
  )
  if (ended.ended === 'exited' && ended.exitCode === 0) return
  if (ended.ended === 'cancelled') throw new PaddockError({ code: 'cancelled', message: `Building ${profile.image} was cancelled; an older image, if there is one, was kept.` })
  const tail = steps.tail.join('\n')
  throw new PaddockError({
    code: 'build-failed',
    message: `Building ${profile.image} failed${steps.current ? ` at step ${steps.current}` : ''}${ended.ended === 'timed-out' ? ': it took too long' : ''}.`,
    hint: hintFor(ended.exitCode, tail) ?? `Mend ${profile.folder}/Containerfile and build again; an older image, if there is one, was kept.`,
    command: ended.command,
    exitCode: ended.exitCode,
    stderrTail: tail,
  })
}

/** Remembers the step that a build is at and the last lines it printed. */
export class StepFollower {
  /** E.g. `3/9: RUN apt-get update`. */
  current: string | null = null
  readonly tail: string[] = []

  add(line: string): void {
    const step = /^(?:\[\d+\/\d+\] )?STEP (\d+\/\d+: .*)/.exec(line)
    if (step) this.current = step[1]!
    this.tail.push(line)
    if (this.tail.length > tailLines) this.tail.shift()
  }
}

async function npmSecret(folder: string): Promise<string[]> {
  const source = process.env.npm_config_userconfig ?? join(homedir(), '.npmrc')
  const npmrc = npmrcForBuild(await readFile(source, 'utf8').catch(() => ''))
  if (npmrc === null) return []
  const file = join(folder, 'npmrc')
  await writeFile(file, npmrc, { mode: 0o600 })
  return ['--secret', `id=npmrc,src=${file}`]
}

/** A krun guest's machine description in an image would override the limits that the label sets. */
const forbiddenFile = '/.krun_vm.json'

/**
 * The last step of a build: refuses an image that would configure its own microVM, and lets Podman re-own the layers
 * for the label's user mapping now, visibly, instead of silently at the first launch.
 */
async function prepareImage(podman: Podman, { image, name }: Profile, id: string, label: string, { onProgress, signal }: CallContext): Promise<void> {
  onProgress({ kind: 'step', text: `Preparing ${image} for your user ids` })
  const userns = lastValueOf(parseRunLabel(label).options, '--userns')
  const created = await podman.run(
    ['create', ...(userns === undefined ? [] : ['--userns', userns]), '--network', 'none', '--entrypoint', '', id, '/bin/true'],
    { timeoutMs: 15 * 60_000, signal },
  )
  const container = created.stdout.trim().split('\n').at(-1)!
  try {
    const copied = await podman.try(['cp', `${container}:${forbiddenFile}`, '-'], { maxOutput: 1024 * 1024, signal })
    const isThere = copied.exitCode === 0 || copied.ended === 'output-too-long'
    // An image that could not be looked into is not taken for a good one.
    if (!isThere && !/could not be found|no such file/.test(copied.stderr)) throw podmanFailed(copied)
    if (isThere) {
      throw new PaddockError({
        code: 'build-failed',
        message: `The image of profile "${name}" holds ${forbiddenFile}, with which it would set its own microVM’s limits.`,
        hint: 'Remove that file from the image.',
      })
    }
  } finally {
    await removeContainer(podman, container)
  }
}
