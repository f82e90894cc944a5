import * as z from 'zod'
import { egressModes } from '../../shared/domain/egress.ts'
import { base64Length, workspaceLimits } from '../../shared/domain/workspace-limits.ts'
import { desktopSchemas } from './desktop-schemas.ts'

const { listDepth, listEntries, readBytes, writeBytes, commandSeconds, outputBytes, commandCharacters, commandsAtOnce, pathCharacters } = workspaceLimits

const path = (what: string) => z.string().min(1).max(pathCharacters).describe(`${what}, relative to the workspace, with "/" between names; never absolute, no "..".`)
const whole = () => z.number().int()
const encoding = z.enum(['text', 'base64'])

/** What each tool takes and gives; the descriptions are all that an agent knows of them. Strict: a misspelt argument is told. */
export const toolSchemas = {
  workspace_status: {
    title: 'Workspace status',
    description: 'Tells what the workspace is: its sandbox, capacity (free disk, memory), caps and whether they are enforced, the isolation as it was measured, network egress, profile, and the limits of the other tools.',
    input: z.strictObject({}),
    output: z.object({
      workspace: z.string().describe('Folder inside the sandbox that all paths are relative to.'),
      sandbox_id: z.string(),
      profile: z.string(),
      isolation: z.enum(['microvm', 'container', 'unverified']).describe('As measured in the running sandbox.'),
      egress: z.enum([...egressModes, 'unenforced']).describe('open: the internet, but no local network, can be reached. allowlist: listed hosts only, over HTTP and HTTPS through the proxy that the environment names. deny: nothing can. unenforced: nothing is held back.'),
      started_at: z.string().nullable(),
      disk: z.object({ free_bytes: z.number().nullable(), total_bytes: z.number().nullable() }),
      memory: z.object({ available_bytes: z.number().nullable(), total_bytes: z.number().nullable(), limit_bytes: z.number().nullable() }),
      cpus: z.number().nullable(),
      caps: z.object({ ram_mib: z.number().nullable(), cpus: z.number().nullable(), tmp_size: z.string().nullable(), pids: z.number().nullable(), not_enforced: z.array(z.string()) }),
      read_only: z.boolean().describe('This connection may only look.'),
      limits: z.record(z.string(), z.number()),
    }),
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  list_workspace: {
    title: 'List files',
    description: 'Lists a folder of the workspace: path, type, size and time of last change of each entry. Links are shown as such and never followed.',
    input: z.strictObject({
      path: path('Folder').default('.'),
      depth: whole().min(1).max(listDepth.max).default(listDepth.default).describe('How many levels: 1 lists the folder alone.'),
      limit: whole().min(1).max(listEntries.max).default(listEntries.default).describe('Entries in one answer.'),
      cursor: z.string().max(base64Length(8_192)).optional().describe('next_cursor of the answer before, to go on behind it, with the same path and depth.'),
    }),
    output: z.object({
      path: z.string(),
      entries: z.array(z.object({ path: z.string().describe('Relative to the listed folder.'), type: z.enum(['file', 'folder', 'link', 'other']), size_bytes: z.number(), modified_at: z.string() })),
      truncated: z.boolean(),
      next_cursor: z.string().nullable().describe('Give it as cursor to go on; null when the list is whole.'),
    }),
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  read_workspace_file: {
    title: 'Read a file',
    description: 'Reads a file of the workspace, or a range of its bytes. Text comes as text; anything else as base64, as the answer says.',
    input: z.strictObject({
      path: path('File'),
      offset: whole().min(0).default(0).describe('First byte.'),
      length: whole().min(1).max(readBytes.max).default(readBytes.default).describe('Bytes at most.'),
      encoding: z.enum(['auto', 'text', 'base64']).default('auto').describe('auto: text if the bytes are UTF-8 without NUL, else base64. text: refuses what is no text.'),
    }),
    output: z.object({
      path: z.string(),
      encoding,
      content: z.string(),
      offset: z.number(),
      length: z.number().describe('Bytes in this answer.'),
      total_bytes: z.number(),
      next_offset: z.number().nullable().describe('Give it as offset to go on; null at the end of the file.'),
      modified_at: z.string(),
    }),
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  write_workspace_file: {
    title: 'Write a file',
    description: `Writes a whole file of the workspace, at most ${writeBytes} bytes, at once: others see the old file or the new one. A file that is there is replaced only with overwrite.`,
    input: z.strictObject({
      path: path('File'),
      content: z.string().max(base64Length(writeBytes)),
      encoding: encoding.default('text').describe('How content is written.'),
      overwrite: z.boolean().default(false).describe('Replace a file that is there.'),
      create_parents: z.boolean().default(false).describe('Make folders that are missing.'),
    }),
    output: z.object({ path: z.string(), size_bytes: z.number(), replaced: z.boolean() }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  },
  delete_workspace_path: {
    title: 'Delete',
    description: 'Deletes a file, a link (not what it leads to) or an empty folder of the workspace; with recursive a folder with all that is in it.',
    input: z.strictObject({
      path: path('What to delete'),
      recursive: z.boolean().default(false).describe('A folder with all that is in it.'),
    }),
    output: z.object({ path: z.string(), type: z.enum(['file', 'folder', 'link', 'other']) }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  },
  run_workspace_command: {
    title: 'Run a command',
    description: `Runs a command with bash (a login shell, without input) in the workspace folder and waits for its end. At most ${commandsAtOnce} run at once. When it ends, everything that it left in the background is ended as well. Output beyond max_output_bytes is left out of the middle.`,
    input: z.strictObject({
      command: z.string().min(1).max(commandCharacters).describe('Text for bash -c.'),
      timeout_seconds: z.number().min(1).max(commandSeconds.max).default(commandSeconds.default).describe('It is ended after this time.'),
      max_output_bytes: whole().min(1_024).max(outputBytes.max).default(outputBytes.default).describe('Kept of stdout and of stderr, each.'),
    }),
    output: z.object({
      exit_code: z.number().nullable().describe('Null when a signal ended it.'),
      signal: z.string().nullable(),
      timed_out: z.boolean(),
      stdout: z.string(),
      stderr: z.string(),
      stdout_omitted_bytes: z.number(),
      stderr_omitted_bytes: z.number(),
      note: z.string().nullable(),
      duration_ms: z.number(),
    }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  },
  ...desktopSchemas,
} as const

export type ToolName = keyof typeof toolSchemas
export type ToolInput<N extends ToolName> = z.output<(typeof toolSchemas)[N]['input']>
export type ToolOutput<N extends ToolName> = z.output<(typeof toolSchemas)[N]['output']>

/** What a connection is offered. */
export interface Offer {
  /** Only the tools that change nothing. */
  isReadOnly: boolean
  /** False only where it is known that what is worked in will have none. */
  hasDesktop: boolean
}

/** The tools that a connection gets. */
export function toolsFor({ isReadOnly, hasDesktop }: Offer): ToolName[] {
  const names = Object.keys(toolSchemas) as ToolName[]
  return names.filter((name) => (hasDesktop || !name.startsWith('desktop_')) && (!isReadOnly || toolSchemas[name].annotations.readOnlyHint))
}
