import { benchAppStart } from './app-start.ts'
import { benchClickToPrompt } from './click-to-prompt.ts'
import { benchDesktop } from './desktop.ts'
import { benchFlood } from './flood.ts'
import { benchGuest } from './guest.ts'
import { benchHook } from './hook.ts'
import { benchLaunch } from './launch.ts'
import { benchListUpdate } from './list-update.ts'
import { benchMcp } from './mcp.ts'
import { benchOutside } from './outside.ts'
import { benchProxy } from './proxy.ts'
import { createReports, type Report } from './report.ts'
import { benchTyping } from './typing.ts'

// Prints what Paddock costs on this machine beside the bare tools: `npm run bench [-- NAME…] [--json]`.
const benches: Record<string, (report: Report) => Promise<void>> = {
  launch: benchLaunch,
  hook: benchHook,
  proxy: benchProxy,
  'app-start': benchAppStart,
  'click-to-prompt': benchClickToPrompt,
  outside: benchOutside,
  flood: benchFlood,
  'list-update': benchListUpdate,
  typing: benchTyping,
  guest: benchGuest,
  desktop: benchDesktop,
  mcp: benchMcp,
}

async function main(args: readonly string[]): Promise<number> {
  const names = args.filter((word) => word !== '--json')
  const unknown = names.find((name) => !Object.hasOwn(benches, name))
  if (unknown !== undefined) {
    console.error(`There is no benchmark "${unknown}"; there are: ${Object.keys(benches).join(', ')}.`)
    return 2
  }
  const reports = createReports(args.includes('--json'))
  if (process.env.NODE_EXTRA_CA_CERTS) {
    // With it Node reads a whole bundle at each start, needed or not: it would be measured with everything else.
    delete process.env.NODE_EXTRA_CA_CERTS
    reports.of('bench').note('measured without NODE_EXTRA_CA_CERTS, which is set here and makes Node start later')
  }
  for (const name of names.length > 0 ? names : Object.keys(benches)) await benches[name]!(reports.of(name))
  reports.end()
  return 0
}

void main(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode
  },
  (error: Error) => {
    console.error(error.stack)
    process.exitCode = 1
  },
)
