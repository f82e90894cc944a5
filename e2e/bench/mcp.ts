import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Report } from './report.ts'
import { measureInTurn } from './samples.ts'

const pairs = 40
/** Beyond this a command through MCP is too slow beside one through a connection that ssh holds open. */
const limit = 1.5
const reads = 200
const partBytes = 64 * 1024

/** Compares `run_workspace_command` of `true` with the same through `ssh` and a ControlMaster, and counts reads of 64 KiB. */
export async function benchMcp(report: Report): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'paddock-bench-mcp-'))
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'part'), 'x'.repeat(partBytes))
  const command = fileURLToPath(new URL('paddock.cjs', import.meta.url))
  const client = new Client({ name: 'bench', version: '1' })
  try {
    report.note('building and launching what is measured')
    run([process.execPath, command, 'build', 'minimal'])
    const args = [command, 'mcp', '--project', project, '--profile', 'minimal', '--isolation', 'container']
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: process.env as Record<string, string>, stderr: 'ignore' }))
    const call = async (name: string, input: Record<string, unknown> = {}) => {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: input })
      if (isError) throw new Error(`${name} failed: ${JSON.stringify(content)}`)
      return structuredContent as Record<string, unknown>
    }
    const id = String((await call('workspace_status')).sandbox_id)
    const config = join(folder, 'ssh-config')
    writeFileSync(config, run([process.execPath, command, 'ssh-config', id]), { mode: 0o600 })
    const ssh = ['ssh', '-F', config, '-o', 'ControlMaster=auto', '-o', `ControlPath=${join(folder, 'master')}`, '-o', 'ControlPersist=600', `paddock-${id}`]
    // ssh leaves its master behind, which would hold a pipe of ours open.
    run([...ssh, 'true'], 'ignore')
    const throughMcp = () => timed(() => call('run_workspace_command', { command: 'true' }))
    const throughSsh = () => timed(() => run([...ssh, 'true'], 'ignore'))
    report.ratio('run_workspace_command of true', 'ssh … true, connected already', await measureInTurn(pairs, throughMcp, throughSsh), limit)
    const started = performance.now()
    for (let at = 0; at < reads; at++) await call('read_workspace_file', { path: 'part' })
    report.figure('read_workspace_file of 64 KiB, one after the other', 'per s', (reads / (performance.now() - started)) * 1_000)
    run([...ssh.slice(0, -1), '-O', 'exit', ssh.at(-1)!], 'ignore')
  } finally {
    await client.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function timed(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

/** Runs a program that has to succeed. @returns its stdout */
function run([program, ...args]: readonly string[], output: 'pipe' | 'ignore' = 'pipe'): string {
  const ended = spawnSync(program!, args, { stdio: ['ignore', output, output], encoding: 'utf8' })
  if (ended.status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${ended.status}: ${ended.stderr}`)
  return ended.stdout
}
