import type { CallContext } from '../../shared/contract/contract.ts'
import { workspaceLimits } from '../../shared/domain/workspace-limits.ts'
import { refused, workspaceFolder } from '../core/workspace/guest-place.ts'
import type { CommandResult } from '../core/workspace/run-command.ts'
import { textPart } from '../core/workspace/text-part.ts'
import type { Workspace } from '../core/workspace/workspace.ts'
import { createDesktopTools } from './desktop-tools.ts'
import type { ToolInput, ToolName, ToolOutput } from './tool-schemas.ts'

/** How a tool is called: it can be cancelled, and tells how it goes on. */
export interface ToolContext {
  signal: AbortSignal
  tell: (text: string) => void
  /** Gives something beside the answer that is no text. */
  attach?: (content: { type: 'image'; data: string; mimeType: string }) => void
}

type Tools = { [N in ToolName]: (input: ToolInput<N>, context: ToolContext) => Promise<ToolOutput<N>> }

/** The tools on a workspace. Each throws {PaddockError}. */
export function createTools(workspace: Workspace, isReadOnly: boolean): Tools {
  const { files, commands } = workspace
  return {
    ...createDesktopTools(workspace),

    async workspace_status(_input, context) {
      const { sandbox, facts } = await workspace.status(callContext(context))
      const { caps } = sandbox
      return {
        workspace: workspaceFolder,
        sandbox_id: sandbox.id.slice(0, 12),
        profile: sandbox.profile,
        isolation: sandbox.isolation,
        egress: sandbox.egress,
        started_at: sandbox.startedAt,
        disk: { free_bytes: facts.diskFreeBytes, total_bytes: facts.diskTotalBytes },
        memory: { available_bytes: facts.memoryAvailableBytes, total_bytes: facts.memoryTotalBytes, limit_bytes: facts.memoryLimitBytes },
        cpus: facts.cpus,
        caps: { ram_mib: caps.ramMib, cpus: caps.cpus, tmp_size: caps.tmpSize, pids: caps.pids, not_enforced: caps.unenforced },
        read_only: isReadOnly,
        limits: limitsInForce,
      }
    },

    async list_workspace({ path, depth, limit, cursor }, { signal }) {
      const { entries, nextCursor } = await files.list(path, { depth, limit, cursor }, signal)
      return {
        path,
        entries: entries.map((entry) => ({ path: entry.path, type: entry.type, size_bytes: entry.sizeBytes, modified_at: entry.modifiedAt })),
        truncated: nextCursor !== null,
        next_cursor: nextCursor,
      }
    },

    async read_workspace_file({ path, offset, length, encoding }, { signal }) {
      const { bytes, totalBytes, modifiedAt } = await files.read(path, { offset, length }, signal)
      const text = encoding === 'base64' ? null : textPart(bytes, offset + bytes.length < totalBytes)
      if (text === null && encoding === 'text') throw refused('This part of the file is no text in UTF-8.', 'encoding: "base64" reads it; an offset within a character has the same effect.')
      const used = text === null ? bytes.length : text.length
      const end = offset + used
      return {
        path,
        encoding: text === null ? 'base64' : 'text',
        content: text === null ? bytes.toString('base64') : text.toString(),
        offset,
        length: used,
        total_bytes: totalBytes,
        next_offset: end < totalBytes && used > 0 ? end : null,
        modified_at: modifiedAt,
      }
    },

    async write_workspace_file({ path, content, encoding, overwrite, create_parents }, { signal }) {
      const bytes = encoding === 'text' ? Buffer.from(content) : fromBase64(content)
      const { sizeBytes, hasReplaced } = await files.write(path, bytes, { overwrite, createParents: create_parents }, signal)
      return { path, size_bytes: sizeBytes, replaced: hasReplaced }
    },

    async delete_workspace_path({ path, recursive }, { signal }) {
      const { type } = await files.remove(path, { recursive }, signal)
      return { path, type }
    },

    async run_workspace_command({ command, timeout_seconds, max_output_bytes }, { signal, tell }) {
      const started = performance.now()
      let bytes = 0
      const told = setInterval(() => tell(`${Math.round((performance.now() - started) / 1_000)} s, ${bytes} bytes of output`), tellEveryMs)
      try {
        const limits = { timeoutMs: timeout_seconds * 1_000, outputBytes: max_output_bytes }
        return resultOf(await commands.run(command, limits, { signal, onOutput: ({ length }) => (bytes += length) }), timeout_seconds)
      } finally {
        clearInterval(told)
      }
    },
  }
}

const tellEveryMs = 1_000

/** The limits of workspace-limits.ts, flat, as the agent reads them. */
const limitsInForce = Object.fromEntries(Object.entries(workspaceLimits).map(([name, limit]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), typeof limit === 'number' ? limit : limit.max]))

/** The progress of a launch, told to who waits for it. */
export function callContext({ signal, tell }: ToolContext): CallContext {
  return { signal, onProgress: ({ kind, text }) => kind !== 'log' && tell(text) }
}

function fromBase64(content: string): Buffer {
  const bytes = Buffer.from(content, 'base64')
  if (bytes.toString('base64').replace(/=+$/, '') !== content.replace(/[\r\n]/g, '').replace(/=+$/, '')) throw refused('The content is not base64.', 'Write text with encoding: "text".')
  return bytes
}

function resultOf({ exitCode, signal, endedFor, stdout, stderr, durationMs }: CommandResult, seconds: number): ToolOutput<'run_workspace_command'> {
  const notes = {
    time: `It was ended after ${seconds} s, with all that it had started.`,
    output: `It was ended because it printed more than ${workspaceLimits.floodBytes} bytes.`,
  }
  return {
    exit_code: exitCode,
    signal,
    timed_out: endedFor === 'time',
    stdout: stdout.text,
    stderr: stderr.text,
    stdout_omitted_bytes: stdout.omittedBytes,
    stderr_omitted_bytes: stderr.omittedBytes,
    note: endedFor === null ? null : notes[endedFor],
    duration_ms: durationMs,
  }
}
