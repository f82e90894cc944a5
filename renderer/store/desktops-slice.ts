import { callbackPort } from '../../shared/domain/callback-port.ts'
import type { DesktopBoard } from '../../shared/domain/desktop-act.ts'
import type { DesktopView } from '../../shared/domain/desktop-view.ts'
import type { Sandbox } from '../../shared/domain/sandbox.ts'
import type { MakeSlice } from './slice.ts'

/** Where a sandbox's desktop is in the main window, while it has no window of its own. */
export type DesktopPlace = 'hidden' | 'beside' | 'alone'
/** Where it is drawn. */
export type ShownPlace = Exclude<DesktopPlace, 'hidden'> | 'window'

export interface DesktopsSlice {
  /** By sandbox, where the person has chosen. */
  desktopPlaces: Readonly<Record<string, DesktopPlace>>
  /** Ids of the sandboxes whose desktop has a window of its own. */
  desktopWindows: readonly string[]
  /** How desktops are shown, all of them. */
  desktopView: DesktopView
  /** By sandbox: whether agents are paused, and what one did last. */
  desktopBoards: Readonly<Record<string, DesktopBoard>>
  placeDesktop(id: string, place: DesktopPlace): void
  /** In a window of its own, which comes to the front when there is one already. */
  openDesktopWindow(id: string): Promise<void>
  /** The desktop is in its tab again, which comes in sight. */
  closeDesktopWindow(id: string): Promise<void>
  loadDesktopWindows(): Promise<void>
  setDesktopWindows(ids: readonly string[]): void
  changeDesktopView(change: Partial<DesktopView>): void
  loadDesktopBoard(id: string): Promise<void>
  pauseDesktop(id: string, isPaused: boolean): Promise<void>
  saveScreenshot(id: string): Promise<void>
  /** In the sandbox's own browser; shows its desktop. */
  openInDesktop(id: string, url: string): Promise<void>
  /** In the person's browser. Where a login leads back to a port of the sandbox, that port leads there first. */
  openOutside(id: string, url: string): Promise<void>
}

/** Where a sandbox's desktop is: one that has a desktop shows it until the person decides otherwise. */
export function desktopPlaceOf({ desktopPlaces, desktopWindows }: Pick<DesktopsSlice, 'desktopPlaces' | 'desktopWindows'>, sandbox: Pick<Sandbox, 'id' | 'hasDesktop'> | undefined): 'hidden' | ShownPlace {
  if (!sandbox) return 'hidden'
  if (desktopWindows.includes(sandbox.id)) return 'window'
  return desktopPlaces[sandbox.id] ?? (sandbox.hasDesktop ? 'beside' : 'hidden')
}

export const makeDesktopsSlice: MakeSlice<DesktopsSlice> = (api) => (set, get) => ({
  desktopPlaces: {},
  desktopWindows: [],
  desktopView: { scale: 'fit', quality: 'medium', isViewOnly: false, hasFigures: false },
  desktopBoards: {},
  placeDesktop(id, place) {
    set(({ desktopPlaces }) => ({ desktopPlaces: { ...desktopPlaces, [id]: place } }))
    if (get().desktopWindows.includes(id)) void get().closeDesktopWindow(id)
  },
  async openDesktopWindow(id) {
    const reply = await api.call('desktop.openWindow', { id, view: get().desktopView })
    if (!reply.ok) return get().report('The desktop got no window of its own.', reply.error)
    // When its window is closed it is in the tab again, and not out of sight.
    if (get().desktopPlaces[id] === 'hidden') set(({ desktopPlaces }) => ({ desktopPlaces: { ...desktopPlaces, [id]: 'beside' } }))
  },
  async closeDesktopWindow(id) {
    const reply = await api.call('desktop.closeWindow', { id })
    if (!reply.ok) get().report('The desktop is still in a window of its own.', reply.error)
  },
  async loadDesktopWindows() {
    const before = get().desktopWindows
    const reply = await api.call('desktop.windows', {})
    // An event that came meanwhile is newer.
    if (reply.ok && get().desktopWindows === before) set({ desktopWindows: reply.value })
  },
  setDesktopWindows: (desktopWindows) => set({ desktopWindows }),
  changeDesktopView: (change) => set(({ desktopView }) => ({ desktopView: { ...desktopView, ...change } })),
  async loadDesktopBoard(id) {
    const reply = await api.call('desktop.board', { id })
    if (reply.ok) set(({ desktopBoards }) => ({ desktopBoards: { ...desktopBoards, [id]: reply.value } }))
  },
  async pauseDesktop(id, isPaused) {
    const reply = await api.call('desktop.pause', { id, isPaused })
    if (!reply.ok) get().report(isPaused ? 'The agents were not paused.' : 'The agents are still paused.', reply.error)
    await get().loadDesktopBoard(id)
  },
  async saveScreenshot(id) {
    const reply = await api.call('desktop.screenshot', { id })
    if (!reply.ok) get().report('No picture was taken.', reply.error)
    else if (reply.value) get().announce(`The picture is in ${reply.value.to}.`)
  },
  async openInDesktop(id, url) {
    const reply = await api.call('desktop.openUrl', { id, url })
    if (!reply.ok) return get().report('The address was not opened.', reply.error)
    if (get().desktopWindows.includes(id)) await get().openDesktopWindow(id)
    else if (get().desktopPlaces[id] === 'hidden') get().placeDesktop(id, 'beside')
  },
  async openOutside(id, url) {
    const port = callbackPort(url)
    if (port !== null) {
      const forward = await api.call('ports.forward', { id, port })
      if (!forward.ok) return get().report('The address was not opened: the port that its login leads back to could not be forwarded.', forward.error)
      if (forward.value.localPort !== port) {
        const error = { code: 'usage' as const, message: `Port ${port} of this machine is taken, and the login would lead back to whatever has it.`, hint: 'End that program, or open the address in the desktop.' }
        return get().report('The address was not opened.', error)
      }
    }
    const reply = await api.call('app.openExternal', { url })
    if (!reply.ok) get().report('The address was not opened.', reply.error)
  },
})
