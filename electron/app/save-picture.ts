import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MainWindow } from './main-window.ts'

/** Long enough for the lists to have come in. */
const settleMs = 3_000

/** Saves what the window shows as a PNG, for who started the app where nobody can see it. */
export async function savePicture(window: MainWindow, file: string): Promise<void> {
  await window.show()
  await sleep(settleMs)
  const picture = await window.current()?.webContents.capturePage()
  if (!picture) return
  await writeFile(file, picture.toPNG())
  console.log(`The window’s picture is ${file}`)
}
