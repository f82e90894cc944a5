import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Isolation } from '../../../shared/domain/sandbox.ts'
import { isolationSchema } from '../../../shared/domain/sandbox.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { openProject } from '../../core/sandboxes/open-project.ts'
import type { McpJournal } from '../../core/mcp/journal-writer.ts'
import type { Workspace } from '../../core/workspace/workspace.ts'
import type { Wanted } from '../../core/workspace/workspace-sandbox.ts'
import type { Offer } from '../../mcp/tool-schemas.ts'
import { printNote } from '../print.ts'
import { onlySandbox } from '../only-sandbox.ts'
import type { CommandContext } from '../program.ts'
import type { Session } from '../session.ts'

interface McpFlags {
  project?: string
  sandbox?: string
  profile?: string
  isolation?: Isolation
  acceptFindings?: boolean
  readOnly?: boolean
  http?: boolean
  port?: number
  tokenFile?: string
  allowHost?: string[]
}

const defaultPort = 7440

/** Adds `paddock mcp`, which serves a sandbox's workspace to MCP clients. */
export function addMcpCommand(program: Command, { session, finish }: CommandContext): void {
  program
    .command('mcp')
    .summary('serve a project’s sandbox to MCP clients')
    .description('Serves the files and the shell of a sandbox over the Model Context Protocol, on stdin and stdout or over HTTP on this machine. The project’s running sandbox is used; without one, one is launched when a tool is first called, and ends with its last user.')
    .option('--project <dir>', 'project whose sandbox it is (default: this folder)')
    .addOption(new Option('--sandbox <id>', 'a running sandbox instead').conflicts(['project', 'profile', 'isolation', 'acceptFindings']))
    .option('--profile <profile>', 'profile to launch, or that a running sandbox has to have')
    .addOption(new Option('--isolation <kind>', 'what has to separate the sandbox from this machine').choices(isolationSchema.options))
    .option('--accept-findings', 'launch although the profile asks for dangerous power')
    .option('--read-only', 'offer only the tools that change nothing')
    .option('--http', 'listen on 127.0.0.1 instead of stdin')
    .option('--port <port>', `port for --http; 0 takes a free one (default: ${defaultPort})`, readPort)
    .option('--token-file <file>', 'file with the token for --http, made when it is not there (default: a new token, shown once)')
    .option('--allow-host <name...>', 'host name under which a tunnel passes requests on to --http')
    .action(async (flags: McpFlags) => {
      const wanted = await whatIsWanted(session, flags)
      // Loaded when asked for: no other command should wait for it.
      const [{ createWorkspace }, { openJournal }] = await Promise.all([import('../../core/workspace/workspace.ts'), import('../../core/mcp/journal-writer.ts')])
      const workspace = createWorkspace(session.core, wanted, printNote)
      const offer = { isReadOnly: flags.readOnly ?? false, hasDesktop: await mayHaveDesktop(session, flags) }
      const journal = openJournal(session.core.paths.mcpFolder, {
        transport: flags.http ? 'http' : 'stdio',
        isReadOnly: offer.isReadOnly,
        project: 'project' in wanted ? wanted.project : null,
        sandbox: 'sandbox' in wanted ? wanted.sandbox : null,
      })
      const stop = stopSignal()
      try {
        if (flags.http) await overHttp(workspace, flags, offer, journal, stop)
        else {
          const { serveStdio } = await import('../../mcp/serve-stdio.ts')
          await serveStdio(workspace, { offer, journal, signal: stop, input: process.stdin, output: process.stdout })
        }
      } finally {
        await workspace.close()
        journal.close()
      }
      finish(0)
    })
}

async function overHttp(workspace: Workspace, flags: McpFlags, offer: Offer, journal: McpJournal, stop: AbortSignal): Promise<void> {
  const [{ serveHttp, mcpPath }, { createToken, tokenFromFile }] = await Promise.all([import('../../mcp/serve-http.ts'), import('../../mcp/token.ts')])
  const token = flags.tokenFile === undefined ? createToken() : await tokenFromFile(flags.tokenFile)
  const server = await serveHttp(workspace, { offer, journal, port: flags.port ?? defaultPort, token, allowedHosts: flags.allowHost ?? [] })
  printNote(`MCP is served at http://127.0.0.1:${server.port}${mcpPath} until Ctrl-C.`)
  printNote(flags.tokenFile === undefined ? `Token, shown this once: ${token}` : `The token is in ${flags.tokenFile}.`)
  await new Promise<void>((resolve) => (stop.aborted ? resolve() : stop.addEventListener('abort', () => resolve(), { once: true })))
  await server.close()
}

/** What is wrong with the words is told at once, and not to the agent's first call. */
async function whatIsWanted(session: Session, flags: McpFlags): Promise<Wanted> {
  if (!flags.http && (flags.port !== undefined || flags.tokenFile !== undefined || flags.allowHost !== undefined)) throw new PaddockError({ code: 'usage', message: '--port, --token-file and --allow-host belong to --http.' })
  if (flags.sandbox !== undefined) {
    const { id, channelProblem } = await onlySandbox(session, flags.sandbox)
    if (channelProblem === null) return { sandbox: id }
    const { noChannel } = await import('../../core/guest/way-in.ts')
    throw noChannel(id, channelProblem)
  }
  const { folder, notes } = await openProject(flags.project ?? '.', process.env.PADDOCK_CWD ?? process.cwd(), session.core.paths)
  for (const note of notes) printNote(note)
  return { project: folder, profile: flags.profile, isolation: flags.isolation, acceptFindings: flags.acceptFindings ?? false }
}

/** False only for a sandbox or a profile that is named and has none: the sandbox of a project may be another one each time. */
async function mayHaveDesktop(session: Session, { sandbox, profile }: McpFlags): Promise<boolean> {
  if (sandbox !== undefined) return (await onlySandbox(session, sandbox)).hasDesktop
  if (profile === undefined) return true
  const opened = await session.call('profile.open', { name: profile }).catch(() => null)
  if (opened === null) return true
  const { parseProfile } = await import('../../../shared/domain/profile-form/profile-form.ts')
  const { desktop } = parseProfile(opened.text, opened).values
  return desktop.kind !== 'value' || desktop.value === true
}

/** Fires when this process is told to end, or its client is gone: there is a sandbox to leave, so it does not end at once. */
function stopSignal(): AbortSignal {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop.abort())
  process.stdout.removeAllListeners('error').on('error', () => stop.abort())
  process.stderr.on('error', () => {})
  return stop.signal
}

function readPort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('It must be a number from 0 to 65535.')
  return port
}
