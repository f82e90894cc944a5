import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTicksOf } from '../process/start-ticks.ts'
import { followJournals, readJournals } from './journal-reader.ts'
import { openJournal } from './journal-writer.ts'

let top: string
let folder: string
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'journal-test-'))
  folder = join(top, 'mcp')
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

const server = { transport: 'stdio' as const, isReadOnly: false, project: '/home/ada/api', sandbox: null }
/** Of a process that had this one's id before. */
const gone = JSON.stringify({ kind: 'server', pid: process.pid, startTicks: '', at: '', ...server })
const text = () => readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')).join('')

describe('a journal', () => {
  it('is this account’s alone, and tells readers of this very process', async () => {
    const journal = openJournal(folder, server)
    journal.entered('abc')
    const client = journal.connected({ name: 'cursor', version: '1.2' })
    const ended = client.called('read_workspace_file', { path: 'src/a.ts' })
    expect(await readJournals(folder)).toMatchObject([{ sandbox: 'abc', clients: [{ name: 'cursor' }], calls: [{ tool: 'read_workspace_file', what: 'src/a.ts', outcome: 'running' }] }])
    ended('done')
    client.left()
    expect(await readJournals(folder)).toMatchObject([{ clients: [], calls: [{ outcome: 'done', ms: expect.any(Number) }] }])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, readdirSync(folder)[0]!)).mode & 0o777).toBe(0o600)
  })

  it('holds no contents, no whole commands and no line of a client’s own', async () => {
    const client = openJournal(folder, server).connected({ name: 'a\n{"kind":"left","client":1}\n', version: 'x'.repeat(5_000) })
    client.called('write_workspace_file', { path: `p${'x'.repeat(5_000)}`, content: 'hunter2' })('failed')
    client.called('run_workspace_command', { command: 'deploy --password hunter2\nhunter2' })('done')
    client.called('workspace_status', null)('done')
    expect(text()).not.toContain('hunter2')
    expect(text().split('\n').every((line) => line.length < 600)).toBe(true)
    expect(await readJournals(folder)).toMatchObject([{ clients: [{ name: 'a\n{"kind":"left","client":1}\n' }], calls: [{ outcome: 'failed' }, { what: 'deploy …' }, { what: '' }] }])
  })

  it('stays small, with the last calls and who is connected', async () => {
    const journal = openJournal(folder, server)
    const client = journal.connected({ name: 'busy', version: '1' })
    for (let number = 0; number < 3_000; number++) client.called('read_workspace_file', { path: `file ${number} ${'x'.repeat(150)}` })('done')
    expect(text().length).toBeLessThan(300_000)
    const [record] = await readJournals(folder)
    expect(record).toMatchObject({ clients: [{ name: 'busy' }] })
    expect(record!.calls).toHaveLength(200)
    expect(record!.calls.at(-1)!.what).toMatch(/^file 2999 /)
    expect(readdirSync(folder)).toHaveLength(1)
  })

  it('that cannot be written is no error', () => {
    writeFileSync(folder, '')
    const client = openJournal(folder, server).connected({ name: 'a', version: '1' })
    client.called('workspace_status', {})('done')
    client.left()
  })

  it('of a process that is gone has nobody connected', async () => {
    const child = spawn('sleep', ['100'])
    const pid = child.pid!
    mkdirSync(folder)
    const lines = [{ kind: 'server', pid, startTicks: startTicksOf(pid), at: '', ...server }, { kind: 'client', client: 1, name: 'a', version: '1', at: '' }]
    writeFileSync(join(folder, '00000000-0000-4000-8000-000000000000.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
    expect(await readJournals(folder)).toMatchObject([{ clients: [{}] }])
    const over = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await over
    expect(await readJournals(folder)).toMatchObject([{ clients: [] }])
  })

  it('goes after a week, and no link is read as one', async () => {
    mkdirSync(folder)
    const name = '00000000-0000-4000-8000-000000000001.jsonl'
    writeFileSync(join(folder, name), gone)
    utimesSync(join(folder, name), 1, 1)
    symlinkSync('/etc/passwd', join(folder, '00000000-0000-4000-8000-000000000000.jsonl'))
    openJournal(folder, server)
    expect(readdirSync(folder)).not.toContain(name)
    expect(await readJournals(folder)).toHaveLength(1)
  })

  it('stays for as long as its server runs, however old it is and however many there are', async () => {
    openJournal(folder, server).entered('abc')
    const [name] = readdirSync(folder)
    utimesSync(join(folder, name!), 1, 1)
    for (let number = 10; number < 50; number++) writeFileSync(join(folder, `00000000-0000-4000-8000-0000000000${number}.jsonl`), gone)
    openJournal(folder, server)
    expect(readdirSync(folder)).toContain(name)
    expect(readdirSync(folder)).toHaveLength(31)
  })

  it('begins beside one that goes away meanwhile, or was never one', async () => {
    mkdirSync(folder)
    symlinkSync('no such file', join(folder, '00000000-0000-4000-8000-000000000000.jsonl'))
    openJournal(folder, server)
    expect(await readJournals(folder)).toHaveLength(1)
  })

  it('begun anew by a server that was killed goes, too', () => {
    mkdirSync(folder)
    const begun = join(folder, '00000000-0000-4000-8000-000000000000.jsonl.next')
    writeFileSync(begun, '{"kind":"ser')
    utimesSync(begun, 1, 1)
    openJournal(folder, server)
    expect(readdirSync(folder)).toHaveLength(1)
  })

  it('on a full disk stays whole, and keeps no file open', async () => {
    const client = openJournal(folder, server).connected({ name: 'busy', version: '1' })
    symlinkSync('/dev/full', join(folder, `${readdirSync(folder)[0]!}.next`))
    for (let number = 0; number < 3_000; number++) client.called('read_workspace_file', { path: `file ${number} ${'x'.repeat(150)}` })('done')
    const open = readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)]
      } catch {
        return []
      }
    })
    expect(open).not.toContain('/dev/full')
    expect(readdirSync(folder)).toHaveLength(1)
    expect((await readJournals(folder))[0]!.calls.at(-1)!.what).toMatch(/^file 2999 /)
  })
})

it('who follows where the kernel gives no watch is told now and then', async () => {
  // To root it is given nonetheless.
  mkdirSync(folder, { mode: 0o300 })
  const stop = new AbortController()
  let heard!: () => void
  const told = new Promise<void>((resolve) => (heard = resolve))
  const following = followJournals(folder, () => heard(), stop.signal)
  await Promise.race([told, following])
  stop.abort()
  await following
  chmodSync(folder, 0o700)
})

it('who follows is told of each change until they stop', async () => {
  const stop = new AbortController()
  let heard!: () => void
  const changed = () => new Promise<void>((resolve) => (heard = resolve))
  const first = changed()
  const following = followJournals(folder, () => heard(), stop.signal)
  await new Promise((resolve) => setImmediate(resolve))
  const journal = openJournal(folder, server)
  await first
  const second = changed()
  journal.connected({ name: 'a', version: '1' })
  await second
  stop.abort()
  await following
})
