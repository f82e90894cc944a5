import { fromFile, toFile } from '../../shared/domain/line-ends.ts'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import { createDraftKeeper } from './draft-keeper.ts'
import { isDirty, type OpenEditor } from './open-editor.ts'
import type { MakeSlice } from './slice.ts'
import type { View } from './view-slice.ts'

export interface EditorsSlice {
  editors: Readonly<Record<string, OpenEditor>>
  /** Why a profile cannot be shown, and the unsaved text that there is of it nevertheless. */
  unopened: Readonly<Record<string, { error: ErrorReport; draft: string | null }>>
  /** Profiles with unsaved changes, those of an earlier start too. */
  drafts: readonly string[]
  loadDrafts(): Promise<void>
  /** Shows a profile's editor, with what was not saved the last time. */
  editProfile(name: string): Promise<void>
  /** Back to what was shown before; changes stay as a draft. */
  leaveEditor(): void
  /** @param move where a place of the text before is in this one */
  editText(name: string, text: string, move?: (offset: number) => number): void
  /** Looks whether files of open editors were changed by somebody else. */
  checkEditors(): Promise<void>
  lintEditor(name: string): Promise<void>
  /** @returns whether the file holds what the editor holds */
  saveProfile(name: string): Promise<boolean>
  saveAndBuild(name: string): Promise<void>
  discardChanges(name: string): void
  dropDraft(name: string): Promise<void>
  /** A profile has another name from now on, and its editor with it. */
  moveEditor(name: string, to: string): void
  /** A profile is no more: neither is what was unsaved of it. */
  closeEditor(name: string): void
  /** Ends a conflict: the next save takes the place of what the file holds. */
  keepMine(name: string): void
  takeTheirs(name: string): void
}

const inEditor = (written: string, eol: OpenEditor['eol']) => (eol === '\r\n' ? written.replaceAll('\r\n', '\n') : written)

/** Whether there is no file any more; what cannot be read is still there. */
const isGone = ({ code }: ErrorReport) => code === 'profile-unknown' || code === 'profile-broken'

export const makeEditorsSlice: MakeSlice<EditorsSlice> = (api) => (set, get) => {
  const keeper = createDraftKeeper(api, {
    editorOf: (name) => get().editors[name],
    onFailure: (error) => get().report('Unsaved changes cannot be kept for later; save them before you leave.', error),
  })
  /** Counts what makes an answer about the file an old one. */
  const turns = new Map<string, number>()
  const turn = (name: string) => turns.set(name, (turns.get(name) ?? 0) + 1)
  const state = { cameFrom: { kind: 'welcome' } as View }

  const update = (name: string, change: Partial<OpenEditor>) => {
    const before = get().editors[name]
    if (!before) return
    const after = { ...before, ...change }
    const has = isDirty(after)
    set(({ editors, drafts }) => ({
      editors: { ...editors, [name]: after },
      ...(drafts.includes(name) !== has && { drafts: has ? [...drafts, name] : drafts.filter((one) => one !== name) }),
    }))
    if (after.text !== before.text || after.saved !== before.saved) keeper.keepSoon(name)
  }
  /**
   * What the file holds now, told by somebody else than this window.
   * @param written null where it is gone
   * @param place where it is now, as far as that was told
   */
  const learn = (name: string, written: string | null, hash: string, place: Partial<Pick<OpenEditor, 'source' | 'file'>> = {}) => {
    const editor = get().editors[name]
    if (!editor) return
    if (written !== null) {
      const { text: theirs, eol } = fromFile(written)
      const known = { saved: theirs, hash, eol, conflict: null, ...place }
      // Where only the line ends are others, the change here goes with them.
      if (theirs === editor.text || theirs === editor.saved) return update(name, known)
      if (!isDirty(editor)) {
        update(name, { ...known, text: theirs, fileFindings: [] })
        return get().announce(`${name} was changed outside, and is shown as it is now.`)
      }
      if (editor.conflict?.hash === hash) return
      update(name, { conflict: { theirs, hash, eol }, ...place })
    } else if (editor.conflict?.theirs === null) return
    else update(name, { conflict: { theirs: null, hash, eol: editor.eol } })
    get().announce(`${name} was changed outside while you were changing it.`)
  }
  /** It is looked at with every change of a profile: one telling of each error is enough. */
  const unread = new Map<string, string>()
  const tellUnread = (name: string, error: ErrorReport) => {
    if (unread.get(name) === error.message) return
    unread.set(name, error.message)
    get().report(`Whether ${name} was changed outside is not known.`, error)
  }
  /** Takes all that is known of an editor out, also what was on its way to be kept. */
  const takeOut = (name: string) => {
    turn(name)
    keeper.forget(name)
    // One may have been kept while the core was at it.
    if (get().editors[name]) void api.call('draft.drop', { profile: name })
    set(({ editors: { [name]: _editor, ...editors }, unopened: { [name]: _opened, ...unopened }, drafts }) => ({ editors, unopened, drafts: drafts.filter((one) => one !== name) }))
  }
  const open = async (name: string) => {
    const asked = turns.get(name)
    const [reply, kept] = await Promise.all([api.call('profile.open', { name }), api.call('draft.open', { profile: name })])
    if (turns.get(name) !== asked) return
    const draft = kept.ok ? kept.value : null
    if (!reply.ok) return set(({ unopened }) => ({ unopened: { ...unopened, [name]: { error: reply.error, draft: draft?.text ?? null } } }))
    const { source, file, hash, inheritedLabel, text: written } = reply.value
    const { text: saved, eol } = fromFile(written)
    const editor: OpenEditor = {
      name, source, file, eol, saved, hash, text: saved, inherited: { label: inheritedLabel, text: saved }, fileFindings: [], conflict: null, isSaving: false,
    }
    set(({ editors, unopened: { [name]: _opened, ...unopened } }) => ({ editors: { ...editors, [name]: editor }, unopened }))
    if (!draft) return
    if (draft.hash === hash) {
      const text = inEditor(draft.text, eol)
      return text === saved ? keeper.keepSoon(name) : update(name, { text })
    }
    // It was written for a file of other line ends, perhaps.
    const base = fromFile(draft.base)
    update(name, { text: inEditor(draft.text, base.eol), saved: base.text, eol: base.eol, hash: draft.hash })
    learn(name, written, hash)
    if (!isDirty(get().editors[name]!)) keeper.keepSoon(name)
  }
  const check = async ({ name }: Pick<OpenEditor, 'name'>) => {
    const asked = turns.get(name)
    const reply = await api.call('profile.open', { name })
    const editor = get().editors[name]
    if (!editor || editor.isSaving || turns.get(name) !== asked) return
    if (!reply.ok) {
      const { error } = reply
      if (isDirty(editor)) return isGone(error) ? learn(name, null, '') : tellUnread(name, error)
      return set(({ editors: { [name]: _gone, ...editors }, unopened }) => ({ editors, unopened: { ...unopened, [name]: { error, draft: null } } }))
    }
    unread.delete(name)
    const { hash, source, file, text } = reply.value
    if (hash !== editor.hash) learn(name, text, hash, { source, file })
    else if (editor.conflict || source !== editor.source || file !== editor.file) update(name, { conflict: null, source, file })
  }

  return {
    editors: {},
    unopened: {},
    drafts: [],
    async loadDrafts() {
      const reply = await api.call('draft.list', {})
      if (reply.ok) set(({ drafts }) => ({ drafts: [...new Set([...drafts, ...reply.value])] }))
    },
    async editProfile(name) {
      const { view } = get()
      if (view.kind !== 'editor') state.cameFrom = view
      set({ view: { kind: 'editor', name }, panel: null })
      const editor = get().editors[name]
      await (editor ? check(editor) : open(name))
      await get().lintEditor(name)
    },
    leaveEditor() {
      const { cameFrom } = state
      if (cameFrom.kind === 'project') get().showProject(cameFrom.folder)
      else if (cameFrom.kind === 'sandbox') void get().showSandbox(cameFrom.id)
      else get().showWelcome()
    },
    editText(name, text, move = (offset) => offset) {
      const found = get().editors[name]?.fileFindings ?? []
      const fileFindings = found.flatMap((one) => {
        const [start, end] = [move(one.start), move(one.end)]
        return start < end ? [{ ...one, start, end }] : []
      })
      // Where there are none, nothing of the page has to look at them anew.
      update(name, found.length === 0 ? { text } : { text, fileFindings })
    },
    async checkEditors() {
      await Promise.all(Object.values(get().editors).map(check))
    },
    async lintEditor(name) {
      const text = get().editors[name]?.text
      if (text === undefined) return
      const reply = await api.call('profile.lint', { name, text })
      // A later text is asked about by itself.
      if (!reply.ok || get().editors[name]?.text !== text) return
      update(name, { fileFindings: reply.value.findings.filter(({ rule }) => rule === 'missing-file'), inherited: { label: reply.value.inheritedLabel, text } })
    },
    async saveProfile(name) {
      const editor = get().editors[name]
      if (!editor || editor.isSaving) return false
      if (!isDirty(editor)) return true
      const { text, eol, hash } = editor
      turn(name)
      update(name, { isSaving: true })
      const reply = await api.call('profile.save', { name, text: toFile({ text, eol }), hash })
      turn(name)
      update(name, { isSaving: false })
      if (!reply.ok) {
        if (isGone(reply.error)) learn(name, null, '')
        else get().report(`${name} was not saved.`, reply.error)
        return false
      }
      const saved = reply.value
      if (saved.kind === 'conflict') {
        learn(name, saved.theirs, saved.hash)
        return false
      }
      update(name, { saved: text, hash: saved.hash, file: saved.file, source: 'user', conflict: null })
      get().announce(saved.isCopy ? `Saved as your own copy of ${name}.` : `${name} is saved.`)
      void Promise.all([get().loadProfiles(), get().lintEditor(name)])
      return true
    },
    async saveAndBuild(name) {
      if (await get().saveProfile(name)) await get().buildProfile(name, false)
    },
    discardChanges: (name) => update(name, { text: get().editors[name]?.saved ?? '' }),
    async dropDraft(name) {
      const reply = await api.call('draft.drop', { profile: name })
      if (!reply.ok) return get().report('The unsaved text was not removed.', reply.error)
      set(({ drafts, unopened: { [name]: lost, ...unopened } }) => ({ drafts: drafts.filter((one) => one !== name), unopened: lost ? { ...unopened, [name]: { ...lost, draft: null } } : unopened }))
    },
    moveEditor(name, to) {
      const { editors, drafts, view } = get()
      const editor = editors[name]
      const hasDraft = drafts.includes(name)
      takeOut(name)
      set((now) => ({ ...(editor && { editors: { ...now.editors, [to]: { ...editor, name: to, isSaving: false } } }), ...(hasDraft && { drafts: [...now.drafts, to] }) }))
      if (editor && hasDraft) keeper.keepSoon(to)
      // The file is elsewhere, and while it moved it may have been taken for gone.
      if (view.kind === 'editor' && view.name === name) void get().editProfile(to)
      else if (editor) void check({ name: to })
    },
    closeEditor(name) {
      const { view } = get()
      takeOut(name)
      if (view.kind === 'editor' && view.name === name) get().leaveEditor()
    },
    keepMine(name) {
      const conflict = get().editors[name]?.conflict
      if (conflict) update(name, { saved: conflict.theirs ?? '', hash: conflict.hash, eol: conflict.eol, conflict: null })
    },
    takeTheirs(name) {
      const conflict = get().editors[name]?.conflict
      if (conflict && conflict.theirs !== null) update(name, { saved: conflict.theirs, text: conflict.theirs, hash: conflict.hash, eol: conflict.eol, conflict: null, fileFindings: [] })
    },
  }
}
