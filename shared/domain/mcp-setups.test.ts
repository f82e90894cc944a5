import { expect, it } from 'vitest'
import { mcpSetups } from './mcp-setups.ts'

const command = ['/opt/Paddock/bin/paddock']
const setups = (project: string | null, isReadOnly = false) => Object.fromEntries(mcpSetups(command, { project, sandbox: 'abcdef0123456789' }, isReadOnly).map((setup) => [setup.client, setup]))

it('gives each client a text of its own form', () => {
  const { 'Claude Code': code, 'Claude Desktop': desktop, Cursor: cursor, 'VS Code': vscode, ChatGPT: chatgpt } = setups('/home/ada/api')
  expect(code!.text).toBe('cd /home/ada/api && claude mcp add paddock -- /opt/Paddock/bin/paddock mcp --project /home/ada/api')
  const entry = { command: '/opt/Paddock/bin/paddock', args: ['mcp', '--project', '/home/ada/api'] }
  expect(JSON.parse(desktop!.text)).toEqual({ mcpServers: { 'paddock-api-1uau345': entry } })
  expect(JSON.parse(cursor!.text)).toEqual({ mcpServers: { 'paddock-api-1uau345': entry } })
  expect(JSON.parse(vscode!.text)).toEqual({ servers: { 'paddock-api-1uau345': { type: 'stdio', ...entry } } })
  expect(chatgpt!.text).toContain("--mcp-command '/opt/Paddock/bin/paddock mcp --project /home/ada/api'\ntunnel-client run --profile paddock-api-1uau345")
})

it('writes a path so that it is read as itself, and a name that every client takes', () => {
  const project = '/home/ada/Über "drei" $HOME’s/it\'s'
  const { 'Claude Code': code, Cursor: cursor } = setups(project)
  expect(code!.text).toContain(`--project '/home/ada/Über "drei" $HOME’s/it'\\''s'`)
  expect(JSON.parse(cursor!.text)).toEqual({ mcpServers: { 'paddock-it-s-19gwjid': { command: command[0], args: ['mcp', '--project', project] } } })
})

it('names projects of one name apart, and those without a letter that every client takes', () => {
  const name = (project: string) => Object.keys((JSON.parse(setups(project).Cursor!.text) as { mcpServers: object }).mcpServers)[0]
  expect([name('/home/ada/a/api'), name('/home/ada/b/api')]).toEqual(['paddock-api-pk7w9h', 'paddock-api-1iyuk8'])
  expect(name('/home/ada/日本')).toMatch(/^paddock-[a-z0-9]+$/)
  expect(name('/home/ada/日本')).not.toBe(name('/home/ada/中国'))
})

it('names the sandbox where there is no project, and only reads when told', () => {
  expect(JSON.parse(setups(null, true).Cursor!.text)).toEqual({ mcpServers: { 'paddock-abcdef012345': { command: command[0], args: ['mcp', '--sandbox', 'abcdef012345', '--read-only'] } } })
})

it('belongs into no file of the project, which the sandbox could change', () => {
  expect(Object.values(setups('/home/ada/api')).map(({ file }) => file).filter((file) => file !== null && !file.startsWith('~/'))).toEqual([])
})
