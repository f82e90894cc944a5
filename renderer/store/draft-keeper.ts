import { toFile } from '../../shared/domain/line-ends.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import type { Api } from '../api/api.ts'
import { isDirty, type OpenEditor } from './open-editor.ts'

/** An unsaved change is on the disk this soon after the key. */
const keepAfterMs = 150

export interface DraftKeeperOptions {
  editorOf(name: string): OpenEditor | undefined
  /** Told once, until it works again: else it would be told with every key. */
  onFailure(error: ErrorReport): void
}

/** Hands what is unsaved to the main process, which has it on the disk. */
export function createDraftKeeper(api: Api, { editorOf, onFailure }: DraftKeeperOptions) {
  const waiting = new Map<string, ReturnType<typeof setTimeout>>()
  let isTold = false
  const keep = async (name: string) => {
    waiting.delete(name)
    const editor = editorOf(name)
    if (!editor) return
    const { text, saved, eol, hash } = editor
    const draft = { profile: name, text: toFile({ text, eol }), base: toFile({ text: saved, eol }), hash }
    const reply = isDirty(editor) ? await api.call('draft.keep', draft) : await api.call('draft.drop', { profile: name })
    if (!reply.ok && !isTold) onFailure(reply.error)
    isTold = !reply.ok
  }
  return {
    keepSoon(name: string) {
      if (!waiting.has(name)) waiting.set(name, setTimeout(() => void keep(name), keepAfterMs))
    },
    /** What was on its way to be kept is not. */
    forget(name: string) {
      clearTimeout(waiting.get(name))
      waiting.delete(name)
    },
  }
}
