import './no-jit.ts'
import { fileURLToPath } from 'node:url'
import { createCore } from '../core/core.ts'
import { bundledProfilesFolder } from '../core/profiles/bundled-profiles.ts'
import { exitCodeOf, toErrorReport } from '../../shared/errors/paddock-error.ts'
import { createProgram } from './program.ts'
import { printError } from './print.ts'
import { createSession } from './session.ts'

const bundledProfiles = bundledProfilesFolder(fileURLToPath(new URL('.', import.meta.url)))

// An installed command is the app as plain Node; what it starts should not be.
delete process.env.ELECTRON_RUN_AS_NODE

// A reader that went away (`paddock ls | head -1`) ends the command quietly, as it ends every Unix tool.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))

void main()

async function main(): Promise<void> {
  try {
    const session = createSession(createCore({ bundledProfiles }))
    process.exitCode = await createProgram(session).run(process.argv.slice(2))
  } catch (error) {
    const report = toErrorReport(error)
    printError(report)
    process.exitCode = exitCodeOf(report.code)
  }

  // Node's own way out takes several times as long. Writes to files, terminals and pipes are synchronous (Node's
  // documentation, "A note on process I/O"), so nothing is cut off; where one is pending all the same, it is waited for.
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit()
}
