import type { Command } from 'commander'
import type { EgressRequest } from '../../../shared/domain/egress-request.ts'
import { egressReasonWords, followRequests, mergeRequests } from '../../../shared/domain/egress-request.ts'
import type { Policy, RuleSource } from '../../../shared/domain/egress-policy.ts'
import { plain, printJson, printJsonLine, printListing, printNote } from '../print.ts'
import type { CommandContext } from '../program.ts'
import type { Session } from '../session.ts'

/** Adds what is seen and decided of a sandbox's network: `paddock egress`, `allow` and `policy`. */
export function addEgressCommands(program: Command, { session }: CommandContext): void {
  program
    .command('egress')
    .summary('list what a sandbox with an allowlist asked for')
    .description('Lists what a sandbox with an allowlist asked for, let through or not, also when it has ended.')
    .argument('<id>', 'id or unique beginning of one')
    .option('-f, --follow', 'go on as it asks; with --json a line of JSON each')
    .option('--json', 'print JSON')
    .action(async (id: string, { follow = false, json = false }: { follow?: boolean; json?: boolean }) => {
      if (follow) return printRequests(session, id, json)
      const { requests, totals } = await session.call('egress.requests', { id, after: 0 })
      if (json || !process.stdout.isTTY) return printJson({ requests: mergeRequests(requests), totals })
      printListing(mergeRequests(requests), false, columns, requests.length > 0 ? '' : await whyNothing(session, id))
    })
  program
    .command('allow')
    .summary('let a running sandbox reach a host')
    .description('Lets a running sandbox with an allowlist reach a host: HOST, *.HOST, each with :PORT and, for plain HTTP, a /PATH.')
    .argument('<id>', 'id or unique beginning of one')
    .argument('<host>', 'what it may reach')
    .option('--profile', 'for every sandbox of its profile, from now on')
    .option('--forget', 'take back what was allowed')
    .action(async (id: string, rule: string, { profile = false, forget = false }: { profile?: boolean; forget?: boolean }) => {
      if (forget) await session.call('egress.forget', { id, rule })
      else await session.call('egress.allow', { id, rule, for: profile ? 'profile' : 'sandbox' })
      printNote(forget ? `What you decided on ${rule} is forgotten.` : `${profile ? 'Every sandbox of its profile' : 'It'} may reach ${rule}.`)
    })
  program
    .command('policy')
    .summary('tell what a sandbox may reach, and why')
    .description('Tells what a running sandbox may reach, where each rule comes from, and what no rule can change.')
    .argument('<id>', 'id or unique beginning of one')
    .option('--json', 'print JSON')
    .action(async (id: string, { json = false }: { json?: boolean }) => {
      const policy = await session.call('egress.policy', { id })
      if (json || !process.stdout.isTTY) printJson(policy)
      else process.stdout.write(`${policyLines(policy).map(plain).join('\n')}\n`)
    })
}

/** Of this machine's zone; Sweden writes it as ISO 8601 does. */
const localTime = (at: string) => new Date(at).toLocaleString('sv-SE')

const columns: Record<string, (request: EgressRequest) => string> = {
  TIME: ({ at }) => localTime(at),
  HOST: ({ host }) => host,
  PORT: ({ port }) => String(port),
  METHOD: ({ method }) => method,
  BYTES: ({ sent, received }) => (sent === null || received === null ? 'open' : String(sent + received)),
  ANSWER: ({ allowed }) => (allowed ? 'allowed' : 'blocked'),
  WHY: ({ rule, reason }) => rule ?? egressReasonWords[reason],
}

/** A tunnel that was shown open has ended: what let it through was said then. */
function rowOf(request: EgressRequest, isEnd: boolean): Record<string, string> {
  const cells = Object.fromEntries(Object.entries(columns).map(([title, cell]) => [title, cell(request)]))
  return isEnd ? { ...cells, ANSWER: 'ended', WHY: '' } : cells
}

/** Only the proxy knows what is asked for. */
async function whyNothing(session: Session, id: string): Promise<string> {
  const { mode } = await session.call('egress.policy', { id }).catch(() => ({ mode: 'allowlist' as const }))
  if (mode === 'allowlist') return 'It has asked for nothing.'
  return `What it asks for is not recorded: its egress is ${mode}, and only what goes through the proxy of an allowlist is seen.`
}

/** As wide as most cells of each column: what is still to come is not known. */
const widths: Record<string, number> = { TIME: 19, HOST: 30, PORT: 5, METHOD: 7, BYTES: 9, ANSWER: 7 }

function printRow(cells: Record<string, string>): void {
  process.stdout.write(`${Object.entries(cells).map(([title, cell]) => plain(cell).padEnd(widths[title] ?? 0)).join('  ').trimEnd()}\n`)
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Prints requests as they come, until Ctrl-C, SIGTERM, or the end of its reader or of the sandbox. */
async function printRequests(session: Session, id: string, isJson: boolean): Promise<void> {
  const isForProgram = isJson || !process.stdout.isTTY
  const told = followRequests()
  if (!isForProgram) printRow(Object.fromEntries(Object.keys(columns).map((title) => [title, title])))
  let after = 0
  let isOver = false
  const stop = () => (isOver = true)
  for (const signal of endings) process.on(signal, stop)
  process.stdout.on('error', stop)
  try {
    while (!isOver) {
      const answer = await session.call('egress.requests', { id, after, wait: true }).catch((error: unknown) => {
        if (isOver) return null
        throw error
      })
      if (answer === null) return
      if (isForProgram) for (const request of answer.requests) printJsonLine(request)
      else for (const { request, isEnd } of told(answer.requests)) printRow(rowOf(request, isEnd))
      after = answer.last
      if (answer.hasEnded) return
    }
  } finally {
    for (const signal of endings) process.off(signal, stop)
    process.stdout.off('error', stop)
  }
}

const sourceWords = (source: RuleSource): string => {
  if (source.kind === 'list') return `list @${source.list}, which the label names`
  if (source.kind === 'once') return `you, until ${localTime(source.until)}`
  return { label: 'the label', profile: 'you, for the profile', sandbox: 'you, for this sandbox' }[source.kind]
}

function policyLines({ mode, rules, refused, mistakes, floor }: Policy): string[] {
  return [
    `egress ${mode === 'unenforced' ? 'not held' : mode}`,
    ...rules.map(({ rule, source }) => `  allowed  ${rule}  (${sourceWords(source)})`),
    ...refused.map((host) => `  refused  ${host}  (you)`),
    ...mistakes.map(({ word, why }) => `  nothing  ${word}  (${why})`),
    ...floor.map((sentence) => `  always   ${sentence}`),
  ]
}
