import { access } from 'node:fs/promises'
import type { CallContext } from '../../../shared/contract/contract.ts'
import { countChannelConnections } from '../../../shared/domain/channel-connections.ts'
import type { Isolation, Sandbox } from '../../../shared/domain/sandbox.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { Core } from '../core.ts'
import type { GuestChannel } from '../guest/guest-channel.ts'
import { inspectContainers } from '../engine/containers.ts'
import { findSandboxes } from '../sandboxes/find-sandbox.ts'
import { findWayIn, noChannel } from '../guest/way-in.ts'
import { type LaunchRecord, removeLaunchRecord } from '../sandboxes/launch-record.ts'
import { refused } from './guest-place.ts'

/** Which sandbox is worked in: one that runs, by its id, or that of a project, which is launched when none runs. */
export type Wanted =
  | { sandbox: string }
  | { project: string; profile?: string | undefined; isolation?: Isolation | undefined; baseImage?: string | undefined; acceptFindings: boolean }

/** The sandbox that a server works in. */
export interface WorkspaceSandbox {
  /** Its channel; finds or launches the sandbox first. @throws {PaddockError} what `sandbox.prepare`, Podman or the channel say */
  open(context: CallContext): Promise<GuestChannel>
  /** As `paddock ls` shows it. */
  describe(context: CallContext): Promise<Sandbox>
  /** Leaves it. One that was launched on demand ends when nobody else is connected. */
  leave(): Promise<void>
}

/** Finds it when first asked. One that ended is not launched again: who ended it may have meant it. @param warn tells a person of a choice between several */
export function createWorkspaceSandbox(core: Core, wanted: Wanted, warn: (text: string) => void): WorkspaceSandbox {
  let id: string | null = null
  let entering: Promise<string> | null = null
  let hasLeft = false

  const list = (context: CallContext) => core.handlers['sandbox.list']({}, context)

  const find = async (context: CallContext): Promise<string | null> => {
    const all = await list(context)
    if ('sandbox' in wanted) return named(all, wanted.sandbox).id
    const fitting = all.filter((sandbox) => sandbox.project === wanted.project && sandbox.state === 'running' && fits(sandbox, wanted))
    const reachable = fitting.filter(({ channelProblem }) => channelProblem === null)
    for (const { id: other, channelProblem } of fitting) {
      if (channelProblem !== null) context.onProgress({ kind: 'warning', text: `Sandbox ${other.slice(0, 12)} runs on this project and is left alone: ${channelProblem}.` })
    }
    const [newest, ...others] = reachable.sort((a, b) => (b.startedAt ?? '').localeCompare(a.startedAt ?? '')).map((sandbox) => sandbox.id)
    if (others.length > 0) {
      const text = `${reachable.length} sandboxes run on this project; the newest, ${newest!.slice(0, 12)}, is worked in. --sandbox takes another: ${others.map((other) => other.slice(0, 12)).join(', ')}.`
      context.onProgress({ kind: 'warning', text })
      warn(text)
    }
    return newest ?? null
  }

  const enter = async (context: CallContext, hadOne: boolean): Promise<string> => {
    const found = await find(context)
    if (found !== null) return found
    if (hadOne || 'sandbox' in wanted) throw ended()
    const { profile, project, isolation, baseImage, acceptFindings } = wanted
    const { launchOnDemand, onDemandCommand } = await import('../sandboxes/launch-on-demand.ts')
    const plan = await core.handlers['sandbox.prepare']({ profile, project, cwd: project, isolation, baseImage, tty: false, command: onDemandCommand, acceptFindings }, context)
    for (const text of [...plan.notes, ...plan.weaknesses]) context.onProgress({ kind: 'warning', text })
    context.onProgress({ kind: 'step', text: `Launching ${plan.profile}` })
    return launchOnDemand(core.podman, core.paths.launchesFolder, plan)
  }

  const whole = async (context: CallContext): Promise<string> => {
    const hadOne = id !== null
    // What one caller waits for is not cancelled under the others.
    entering ??= enter({ ...context, signal: new AbortController().signal }, hadOne).then((found) => (id = found)).finally(() => (entering = null))
    return raceAbort(entering, context.signal)
  }

  return {
    async open(context) {
      if (hasLeft) throw new PaddockError({ code: 'cancelled', message: 'The server is ending.' })
      const guests = await core.guests()
      if (id !== null) {
        try {
          return await guests.open(id)
        } catch (error) {
          if (!(error instanceof PaddockError) || (error.report.code !== 'sandbox-unknown' && error.report.code !== 'channel-unavailable')) throw error
        }
      }
      return guests.open(await whole(context))
    },
    async describe(context) {
      const { sandboxId } = await this.open(context)
      const sandbox = (await list(context)).find((each) => each.id === sandboxId)
      if (!sandbox) throw ended()
      return sandbox
    },
    async leave() {
      hasLeft = true
      await entering?.catch(() => {})
      if (id === null) return
      const guests = await core.guests()
      let record: LaunchRecord
      try {
        record = (await findWayIn(core.podman, core.paths.launchesFolder, id)).record
        if (!(await access(record.onDemandFile).then(() => true, () => false))) return
        const channel = await guests.open(id)
        const { stdout } = await channel.run(['cat', '/proc/net/tcp'], { cwd: '/', timeoutMs: leaveMs })
        if (countChannelConnections(stdout.toString()) > 1) return
      } catch {
        // It is gone, or cannot be asked; in doubt it stays, and "paddock ls" shows it.
        return
      } finally {
        guests.close()
      }
      await core.handlers['sandbox.stop']({ ids: [id] }, { signal: new AbortController().signal, onProgress: () => {} })
      // Whoever launched it may be gone, and with it who would tidy up.
      if ((await inspectContainers(core.podman, [id])).length === 0) await removeLaunchRecord(record)
    },
  }
}

const leaveMs = 5_000

function fits(sandbox: Sandbox, { profile, isolation }: Extract<Wanted, { project: string }>): boolean {
  return (profile === undefined || sandbox.profile === profile) && (isolation === undefined || sandbox.isolation === isolation)
}

function named(all: readonly Sandbox[], word: string): Sandbox {
  const [sandbox] = findSandboxes(all, [word])
  if (!sandbox || sandbox.state !== 'running') throw ended()
  if (sandbox.channelProblem !== null) throw noChannel(sandbox.id, sandbox.channelProblem)
  return sandbox
}

const ended = () => refused('The sandbox has ended, and is not launched again by itself.', '"paddock run" in the project starts one, in which the next call works; restarting this MCP server launches one too.')

/** Stops waiting, not the work. */
function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const cancelled = () => new PaddockError({ code: 'cancelled', message: 'Cancelled.' })
  return new Promise((resolve, reject) => {
    const cancel = () => reject(cancelled())
    if (signal.aborted) cancel()
    signal.addEventListener('abort', cancel, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel))
  })
}
