import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInternet } from '../fixtures/internet/internet.ts'
import { createWeb } from '../fixtures/internet/web.ts'
import { createWorld, exec, onDefault, root } from '../harness.ts'
import type { Report } from './report.ts'
import { measureInTurn, median } from './samples.ts'

const pairs = 6
const megabytes = 100
const requests = 30
/** At least 0.7 of what comes without the proxy: 100 MB take at most this much longer. */
const transferLimit = 1 / 0.7
const addedLimitMs = 3

const host = 'allowed.example'

/** What the proxy costs: the same sandbox with an allowlist and open, to a server of the bench's own internet. */
export async function benchProxy(report: Report): Promise<void> {
  const world = createWorld('bench-proxy')
  const profile = (name: string, egress: string) => world.profile(name, onDefault((label) => label.replace('--runtime krun', '--runtime crun').replace('--tty ', '').replace('--network pasta', egress)))
  try {
    report.note('building what is measured')
    profile('e2e-bench-direct', '--network pasta')
    profile('e2e-bench-listed', `--network none --annotation dev.paddock.egress=allowlist --annotation dev.paddock.egress-allow=${host}`)
    for (const name of ['egress', 'e2e-bench-direct', 'e2e-bench-listed']) await demand(world.paddock(['build', name]))
    const web = await createWeb(world, 'localhost/paddock:e2e-bench-direct', { [host]: [['203.0.113.20']] })
    const project = world.project()
    copyFileSync(web.ca, join(project, 'ca.pem'))
    const internet = await createInternet(world, web.folder)
    try {
      const curl = async (name: string, words: readonly string[]) => {
        const command = ['run', name, '--project', project, '--', 'curl', '--silent', '--fail', '--cacert', 'ca.pem', '--write-out', '%{stderr}%{time_total}\\n', '--output', '/dev/null', ...words]
        const { stderr } = await demand(exec(internet.on([process.execPath, join(root, 'dist/paddock.cjs'), ...command]) as [string, ...string[]], { env: world.env }))
        return stderr.split('\n').filter((line) => /^\d+\.\d+$/.test(line)).map((line) => Number(line) * 1000)
      }
      const inTurn = (words: readonly string[], options: readonly string[] = []) =>
        measureInTurn(pairs, async () => median(await curl('e2e-bench-listed', [...options, ...words])), async () => median(await curl('e2e-bench-direct', [...options, ...words])))
      const transfer = [`https://${host}/bytes/${megabytes * 1024 * 1024}`]
      report.ratio(`${megabytes} MB through the proxy`, 'without', await inTurn(transfer), transferLimit)
      const each = Array.from({ length: requests }, (_each, at) => ['--output', '/dev/null', `http://${host}/?${at}`]).flat()
      const secure = each.map((word) => word.replace('http:', 'https:'))
      for (const [what, words] of [['an HTTP request', each], ['an HTTPS request on an open connection', secure]] as const) {
        const { ours, theirs } = await inTurn(words)
        report.figure(`added to ${what} (median of ${pairs} pairs of ${requests})`, 'ms', median(ours.map((value, at) => value - theirs[at]!)), addedLimitMs)
      }
      const { ours, theirs } = await inTurn(secure, ['--header', 'Connection: close'])
      report.figure('added to an HTTPS connection and its first request', 'ms', median(ours.map((value, at) => value - theirs[at]!)))
    } finally {
      await internet.dispose()
    }
  } finally {
    await world.dispose()
  }
}

async function demand<T extends { code: number | null; stderr: string }>(ended: Promise<T>): Promise<T> {
  const result = await ended
  if (result.code !== 0) throw new Error(`It ended with ${result.code}:\n${result.stderr.slice(-2_000)}`)
  return result
}
