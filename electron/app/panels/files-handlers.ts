import { access } from 'node:fs/promises'
import { basename, join, posix } from 'node:path'
import { dialog, type OpenDialogOptions } from 'electron'
import type { CallContext } from '../../../shared/contract/contract.ts'
import type { Copied, GuestPlace } from '../../../shared/contract/panel-contract.ts'
import { isPlainName, repeatedName } from '../../../shared/domain/copy-rules.ts'
import { freeName } from '../../../shared/domain/free-name.ts'
import { type GuestRoot, guestRoots } from '../../../shared/domain/guest-entry.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { copyFromGuest, copyToGuest, namesInGuest } from '../../core/guest/copy/copy.ts'
import type { CopyProgress, CopyReport } from '../../core/guest/copy/copy-job.ts'
import type { IdleChannels } from '../../core/guest/idle-channels.ts'
import { createGuestBrowser, type GuestBrowser } from '../../core/workspace/guest-browser.ts'
import type { PanelHandlers, PanelServices } from '../panel-handlers.ts'
import { guardedPlaces } from './guarded-places.ts'

type FilesCalls = 'files.list' | 'files.open' | 'files.download' | 'files.pick' | 'files.copyIn'

/** Looking through a sandbox's files, and copying them to and fro. Paths of this machine come from its dialogs and from what was dropped, never from the page. */
export function createFilesHandlers(services: PanelServices, channels: IdleChannels): Pick<PanelHandlers, FilesCalls> {
  const { window, offered } = services
  const browsers = new Map<string, GuestBrowser>()
  const browse = <T>({ id, root }: Pick<GuestPlace, 'id' | 'root'>, work: (browser: GuestBrowser) => Promise<T>): Promise<T> =>
    channels.use(id, async ({ closed }) => {
      const key = `${root} ${id}`
      const existing = browsers.get(key)
      const browser = existing ?? createGuestBrowser(async () => channels.use(id, async (channel) => channel), root)
      browsers.set(key, browser)
      if (!existing) void closed.then(() => browsers.delete(key))
      return work(browser)
    })

  /** Where the person wants it; what is there already is only replaced when the system's dialog has asked. */
  const askWhere = async (name: string, isFolder: boolean): Promise<string | null> => {
    const parent = window.current()
    if (!isFolder) {
      const options = { title: `Save ${name}`, defaultPath: name, properties: ['createDirectory', 'showOverwriteConfirmation'] as ('createDirectory' | 'showOverwriteConfirmation')[] }
      const { filePath } = await (parent ? dialog.showSaveDialog(parent, options) : dialog.showSaveDialog(options))
      return filePath || null
    }
    const [folder] = await pickPaths({ title: `Save the folder ${name} in`, buttonLabel: 'Save here', properties: ['openDirectory', 'createDirectory'] })
    return folder === undefined ? null : join(folder, await freeName(name, (one) => isThere(join(folder, one))))
  }
  const pickPaths = async (options: OpenDialogOptions): Promise<string[]> => {
    const parent = window.current()
    const { canceled, filePaths } = await (parent ? dialog.showOpenDialog(parent, options) : dialog.showOpenDialog(options))
    return canceled ? [] : filePaths
  }

  return {
    'files.list': ({ path, ...of }, { signal }) => browse(of, (browser) => browser.list(path, signal)),
    'files.open': ({ path, ...of }, { signal }) => browse(of, (browser) => browser.open(path, signal)),
    async 'files.download'({ id, root, path, isFolder }, context) {
      const name = path === '.' ? root : basename(path)
      if (!isPlainName(name)) throw new PaddockError({ code: 'usage', message: 'Its name cannot be a file’s on this machine.' })
      const host = await askWhere(name, isFolder)
      if (host === null) return null
      const guarded = await guardedPlaces(services)
      const onProgress = tellCopied(context)
      const report = await channels.use(id, (channel) => copyFromGuest(channel, { ...limits(context, guarded), host, guest: inGuest(root, path), onProgress })).catch(forPerson)
      return { ...copied(report), to: host }
    },
    async 'files.pick'({ what }) {
      const isFolder = what === 'folder'
      const properties: OpenDialogOptions['properties'] = isFolder ? ['openDirectory', 'multiSelections'] : ['openFile', 'multiSelections', 'showHiddenFiles']
      return offered.offer(await pickPaths({ title: isFolder ? 'Copy folders into the sandbox' : 'Copy files into the sandbox', buttonLabel: 'Copy in', properties }))
    },
    async 'files.copyIn'({ id, root, path, offerId, replaces }, context) {
      const sources = offered.pathsOf(offerId)
      const names = sources.map((source) => basename(source))
      const repeated = repeatedName(names)
      if (repeated !== null) throw new PaddockError({ code: 'usage', message: `Two of these are called ${repeated}, and one would replace the other.`, hint: 'Copy them one after the other, into folders of their own.' })
      const folder = inGuest(root, path)
      const guarded = await guardedPlaces(services)
      return channels.use(id, async (channel) => {
        const conflicts = replaces ? [] : await namesInGuest(channel, folder, names)
        if (conflicts.length > 0) return { kind: 'exists', names: conflicts }
        const total: CopyReport = { files: 0, bytes: 0, leftOut: [] }
        const tell = tellCopied(context)
        for (const host of sources) {
          const onProgress = (progress: CopyProgress) => tell({ ...progress, files: total.files + progress.files, bytes: total.bytes + progress.bytes })
          const report = await copyToGuest(channel, { ...limits(context, guarded), host, guest: `${folder}/`, onProgress }).catch(forPerson)
          total.files += report.files
          total.bytes += report.bytes
          total.leftOut.push(...report.leftOut)
        }
        return { kind: 'copied', ...copied(total) }
      })
    },
  }
}

const inGuest = (root: GuestRoot, path: string) => posix.join(guestRoots[root], path)
/** All paths here are whole ones; and who calls off a copy in a window means that nothing of it should be left. */
const limits = ({ signal }: CallContext, guarded: readonly string[]) => ({ cwd: '/', guarded, signal, dropsParts: true })
const isThere = (path: string) => access(path).then(() => true, () => false)

/** More than a person reads. */
const maxLeftOut = 100
const copied = ({ files, bytes, leftOut }: CopyReport): Copied => ({ files, bytes, leftOut: leftOut.slice(0, maxLeftOut), leftOutCount: leftOut.length })

/** What the core says of commands is no help in a window. */
function forPerson(error: unknown): never {
  if (!(error instanceof PaddockError) || !error.report.hint?.includes('command')) throw error
  throw new PaddockError({ ...error.report, hint: 'Try again.' })
}

const tellEveryMs = 100

/** Tells how far a copy is, no oftener than a person can read it. */
function tellCopied({ onProgress }: CallContext): (progress: CopyProgress) => void {
  let toldAt = 0
  return ({ files, bytes, path, size }) => {
    const now = Date.now()
    if (now - toldAt < tellEveryMs) return
    toldAt = now
    onProgress({ kind: 'copied', text: path, files, bytes, size })
  }
}
