import type { IpcMain } from 'electron'
import * as z from 'zod/mini'
import type { OfferedFiles } from '../app/offered-files.ts'
import { channels } from './channels.ts'
import type { Senders } from './check-sender.ts'

/** More than a person drops at once. */
const maxPaths = 1_000
const pathsSchema = z.array(z.string().check(z.startsWith('/'), z.maxLength(4_096))).check(z.maxLength(maxPaths))

/** Takes the paths of files that were dropped from the preload script; the page gets a word for them. */
export function bindOffers(ipcMain: Pick<IpcMain, 'handle'>, offered: OfferedFiles, senders: Senders): void {
  ipcMain.handle(channels.offer, (event, paths: unknown) => {
    const parsed = pathsSchema.safeParse(paths)
    return senders.isMain(event) && parsed.success ? offered.offer(parsed.data) : null
  })
}
