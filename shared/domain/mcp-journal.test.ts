import { describe, expect, it, test } from 'vitest'
import { mcpActivity, type McpServerRecord } from './mcp-activity.ts'
import { firstWordsOf, readJournal } from './mcp-journal.ts'

const server = { kind: 'server', pid: 7, startTicks: '99', at: '2026-11-30T10:00:00.000Z', transport: 'stdio', isReadOnly: true, project: '/home/ada/api', sandbox: null }
const client = { kind: 'client', client: 1, name: 'claude-code', version: '2.1', at: '2026-11-30T10:00:01.000Z' }
const call = (number: number, rest = {}) => ({ kind: 'call', call: number, client: 1, at: `2026-11-30T10:00:0${number % 10}.000Z`, tool: 'read_workspace_file', what: 'src/a.ts', ...rest })
const journal = (...lines: object[]) => lines.map((line) => JSON.stringify(line)).join('\n')

describe('a journal', () => {
  it('tells who is connected to what, and how calls went', () => {
    const record = readJournal('j', journal(server, client, { kind: 'sandbox', sandbox: 'abc' }, call(1), { kind: 'end', call: 1, outcome: 'failed', ms: 12 }, call(2)), ({ pid, startTicks }) => pid === 7 && startTicks === '99')
    expect(record).toMatchObject({
      project: '/home/ada/api',
      sandbox: 'abc',
      clients: [{ name: 'claude-code', version: '2.1', transport: 'stdio', isReadOnly: true }],
      calls: [{ client: 'claude-code', outcome: 'failed', ms: 12 }, { outcome: 'running', ms: null }],
    })
  })

  it('of a server that is gone has nobody connected, and no call that goes on', () => {
    expect(readJournal('j', journal(server, client, call(1)), () => false)).toMatchObject({ clients: [], calls: [{ outcome: 'lost' }] })
  })

  it('forgets a client that left, and not what it called', () => {
    expect(readJournal('j', journal(server, client, call(1), { kind: 'left', client: 1 }), () => true)).toMatchObject({ clients: [], calls: [{ client: 'claude-code' }] })
  })

  it('that is nonsense in part is read as far as it makes sense; without a server it is none', () => {
    expect(readJournal('j', `${journal(server, client)}\n{"kind":"call","tool":7}\nnonsense\n{"kind":"cal`, () => true)).toMatchObject({ clients: [{}], calls: [] })
    expect(readJournal('j', journal(client), () => true)).toBeNull()
    expect(readJournal('j', '', () => true)).toBeNull()
    expect(readJournal('j', journal(server, { ...client, name: 'x'.repeat(1_000) }), () => true)).toMatchObject({ clients: [] })
  })
})

it('shows the calls of a project or a sandbox, the newest first and no more than 200', () => {
  const record = (project: string | null, sandbox: string | null, count: number): McpServerRecord => ({
    project,
    sandbox,
    clients: [],
    calls: Array.from({ length: count }, (_, at) => ({ key: `${project} ${at}`, at: String(at + 1_000), client: '', tool: 't', what: '', outcome: 'done' as const, ms: 1 })),
  })
  const records = [record('/a', 's1', 150), record('/a', null, 150), record('/b', 's2', 5), record(null, 's1', 1)]
  expect(mcpActivity(records, { project: '/a', sandbox: null }).calls).toHaveLength(200)
  expect(mcpActivity(records, { project: null, sandbox: 's1' }).calls).toHaveLength(151)
  expect(mcpActivity(records, { project: '/b', sandbox: null }).calls.map(({ at }) => at)).toEqual(['1004', '1003', '1002', '1001', '1000'])
  expect(mcpActivity(records, { project: null, sandbox: null }).calls).toEqual([])
})

test.each([
  ['npm test', 'npm test'],
  ['npm run build -- --watch', 'npm run build …'],
  ['git commit -m "secret plan"', 'git commit …'],
  ['API_KEY=hunter2 npm start', '…'],
  ['curl hunter2.example/?token=1', 'curl …'],
  ['echo hunter2 | docker login', 'echo …'],
  ['mysql -phunter2', 'mysql …'],
  ['psql postgres://u:p@h/d', 'psql …'],
  ['node migrate.js postgres://u:p@h/d', 'node migrate.js …'],
  ['ls\nrm -rf x', 'ls …'],
  ['"$(cat secret)"', '…'],
  [`cat ${'a'.repeat(100)}`, `cat ${'a'.repeat(56)}…`],
])('of the command %j the first words are %j', (command, words) => {
  expect(firstWordsOf(command)).toBe(words)
})
