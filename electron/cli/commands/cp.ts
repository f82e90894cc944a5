import type { Command } from 'commander'
import { parseCopyPlace } from '../../../shared/domain/copy-rules.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { copyFromGuest, copyToGuest } from '../../core/guest/copy/copy.ts'
import type { CopyProgress, CopyReport } from '../../core/guest/copy/copy-job.ts'
import { createProjects } from '../../core/projects/projects.ts'
import { writablePlaces } from '../../core/sandboxes/writable-places.ts'
import { plain, printJson, printNote } from '../print.ts'
import type { CommandContext } from '../program.ts'
import type { Session } from '../session.ts'
import { inGuest } from './guest.ts'

/** Adds `paddock cp`, which exits 1 when something was left out. */
export function addCpCommand(program: Command, { session, finish }: CommandContext): void {
  program
    .command('cp')
    .summary('copy files and folders into or out of a running sandbox')
    .description('Copies a file or a folder into or out of a running sandbox, with modes and times. Interrupted, the same command goes on where it stopped.')
    .argument('<src>', 'what to copy: a path, or ID:PATH')
    .argument('<dst>', 'where to: a path, or ID:PATH; into it, if it is a folder')
    .option('--json', 'print what was done as JSON')
    .addHelpText('after', '\nPaths inside start at the project unless they begin with /. Links that lead out of what is copied are left out.')
    .action(async (src: string, dst: string, { json = false }: { json?: boolean }) => {
      const report = await copy(session, src, dst)
      if (json) printJson(report)
      for (const { path, why } of report.leftOut) printNote(`${path} was left out: ${why}.`)
      finish(report.leftOut.length > 0 ? 1 : 0)
    })
}

async function copy(session: Session, src: string, dst: string): Promise<CopyReport> {
  const [from, to] = [parseCopyPlace(src), parseCopyPlace(dst)]
  const pair = from.kind === 'guest' && to.kind === 'host' ? { inside: from, outside: to } : from.kind === 'host' && to.kind === 'guest' ? { inside: to, outside: from } : null
  if (pair === null) throw new PaddockError({ code: 'usage', message: 'One of the two has to be in a sandbox, and only one.', hint: 'Write ID:PATH for it, as in: paddock cp ID:report.txt .' })
  const { inside, outside } = pair
  const abort = new AbortController()
  const cancel = () => abort.abort()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, cancel)
  const line = progressLine()
  try {
    const guarded = await placesOfSandboxes(session)
    const request = { host: outside.path, guest: inside.path, cwd: process.env.PADDOCK_CWD ?? process.cwd(), guarded, signal: abort.signal, onProgress: line.show }
    return await inGuest(session, inside.id, (guest) => (from.kind === 'guest' ? copyFromGuest(guest, request) : copyToGuest(guest, request)), abort.signal)
  } finally {
    line.end()
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, cancel)
  }
}

/** Where agents can or could put links: what sandboxes can write, their homes, and the projects that were opened, whose sandboxes may have ended. */
export async function placesOfSandboxes({ core: { podman, paths } }: Session): Promise<string[]> {
  const opened = createProjects(paths.projectsFile, () => {}, (aside) => printNote(`The list of projects was damaged and set aside as ${aside}; it begins anew.`))
  return writablePlaces(podman, [paths.homesFolder, ...(await opened.list()).map(({ folder }) => folder)])
}

const redrawMs = 100
const mib = 1024 ** 2

/** One line on a terminal, drawn again; nothing elsewhere. */
function progressLine(): { show: (progress: CopyProgress) => void; end: () => void } {
  let drawnAt = 0
  return {
    show({ files, bytes, path }) {
      const now = Date.now()
      if (!process.stderr.isTTY || now - drawnAt < redrawMs) return
      drawnAt = now
      const text = plain(`${(bytes / mib).toFixed(1)} MiB, ${files} file${files === 1 ? '' : 's'}: ${path}`)
      process.stderr.write(`\r\u001b[K${text.slice(0, (process.stderr.columns || 80) - 1)}`)
    },
    end() {
      if (drawnAt > 0) process.stderr.write('\r\u001b[K')
    },
  }
}
