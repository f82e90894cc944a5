import type { Command } from 'commander'
import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import { partingWords } from '../../../shared/domain/terminal-end.ts'
import { isStillRunning } from '../../core/engine/containers.ts'
import { podmanEnvironment } from '../../core/engine/podman.ts'
import { runAttached } from '../../core/process/run-attached.ts'
import { ask, canAsk } from '../ask.ts'
import { onlySandbox } from '../only-sandbox.ts'
import { printJson, printListing, printNote, printRemark } from '../print.ts'
import type { CommandContext } from '../program.ts'
import type { Session } from '../session.ts'

/** Adds what is done with sandboxes that were launched: `paddock ls`, `stop`, `rm`, `attach`, `logs` and `prune`. */
export function addSandboxCommands(program: Command, { session, finish }: CommandContext): void {
  program
    .command('ls')
    .summary('list sandboxes')
    .description('Lists sandboxes, those started by plain Podman too. JSON with --json or when stdout is no terminal.')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      printListing(await session.call('sandbox.list', {}), json, columns, 'No sandbox is running; "paddock run" starts one.')
    })
  program
    .command('stop')
    .description('Stops sandboxes. One that has stopped, or whose id of 12 digits or more is gone, counts as stopped.')
    .argument('<id...>', 'ids or unique beginnings of ids')
    .action(async (ids: string[]) => report('Stopped', ids, await session.call('sandbox.stop', { ids })))
  program
    .command('rm')
    .description('Removes stopped sandboxes.')
    .argument('<id...>', 'ids or unique beginnings of ids')
    .option('-f, --force', 'remove running ones too', false)
    .action(async (ids: string[], { force }: { force: boolean }) => report('Removed', ids, await session.call('sandbox.remove', { ids, force })))
  program
    .command('attach')
    .description('Connects this terminal to a running sandbox. Ctrl-P Ctrl-Q leaves it running.')
    .argument('<id>', 'id or unique beginning of one')
    .action(async (id: string) => finish(await attach(session, (await onlySandbox(session, id)).id)))
  program
    .command('logs')
    .description('Prints what a sandbox’s first process has written.')
    .argument('<id>', 'id or unique beginning of one')
    .option('-f, --follow', 'go on as it writes')
    .action(async (id: string, { follow = false }: { follow?: boolean }) =>
      finish(await attached(session, ['logs', ...(follow ? ['--follow'] : []), (await onlySandbox(session, id)).id])),
    )
  program
    .command('prune')
    .description('Shows what could be freed (ended sandboxes, replaced images), and frees it when told.')
    .option('-y, --yes', 'free it without asking', false)
    .option('--json', 'print JSON')
    .action(async (flags: { yes: boolean; json?: boolean }) => finish(await prune(session, flags)))
}

function report(did: string, asked: readonly string[], ids: readonly string[]): void {
  for (const id of ids) process.stdout.write(`${id}\n`)
  printNote(ids.length === 0 ? `${asked.length === 1 ? 'It is' : 'They are'} gone already.` : `${did} ${ids.length}.`)
}

/** @returns the exit code of a sandbox that ended meanwhile, which `podman attach` does not tell; 0 after detaching */
async function attach(session: Session, id: string): Promise<number> {
  const { podman } = session.core
  const left = new AbortController()
  const ended = podman.try(['wait', id], { signal: left.signal, timeoutMs: 0 })
  try {
    const clientCode = await attached(session, ['attach', id])
    const isRunning = await isStillRunning(podman, id)
    const exitCode = clientCode !== 0 || isRunning ? clientCode : Number((await ended).stdout) || clientCode
    const words = partingWords(isRunning ? id : null, exitCode)
    if (words !== null) printRemark(words)
    return exitCode
  } finally {
    left.abort()
    await ended
  }
}

function attached({ core }: Session, args: readonly string[]): Promise<number> {
  return runAttached(core.podman.command(args), { env: podmanEnvironment })
}

const mib = 1024 ** 2

async function prune(session: Session, { yes, json = false }: { yes: boolean; json?: boolean }): Promise<number> {
  const items = await session.call('sandbox.prunable', {})
  if (!json) {
    for (const { kind, id, what, bytes } of items) {
      printNote(`${kind} ${id.slice(0, 12)}: ${what}${bytes === null ? '' : `, up to ${Math.round(bytes / mib)} MiB`}`)
    }
    if (items.length === 0) printNote('There is nothing to free.')
  }
  const isAgreed = items.length > 0 && (yes || (canAsk() && (await ask('Free these? [y/N]')).startsWith('y')))
  const removed = isAgreed ? await session.call('sandbox.prune', { items }) : []
  if (json) printJson({ found: items, removed })
  else if (isAgreed) printNote(`Freed ${removed.length} of ${items.length}.`)
  if (items.length === 0 || isAgreed || canAsk()) return 0
  if (!json) printNote('Nothing was freed: say --yes.')
  return 0
}

function notesOf(unenforced: readonly string[], channelProblem: string | null): string[] {
  return [
    ...(unenforced.length > 0 ? [`limits not enforced: ${unenforced.join(', ')}`] : []),
    ...(channelProblem !== null ? [`only its first terminal can be reached: ${channelProblem}`] : []),
  ]
}

const columns: Record<string, (sandbox: Sandbox) => string> = {
  ID: ({ id }) => id.slice(0, 12),
  PROFILE: ({ profile }) => profile,
  PROJECT: ({ project }) => project ?? '-',
  STATE: ({ state }) => state,
  ISOLATION: ({ isolation }) => (isolation === 'microvm' ? 'microVM' : isolation),
  EGRESS: ({ egress }) => (egress === 'unenforced' ? 'not held' : egress),
  STARTED: ({ startedAt }) => startedAt ?? '-',
  NOTES: ({ error, caps, channelProblem }) => error ?? notesOf(caps.unenforced, channelProblem).join('; '),
}
