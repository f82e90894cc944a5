import { expect, it, vi } from 'vitest'
import type { CallContext } from '../../../shared/contract/contract.ts'
import type { IdleChannels } from '../../core/guest/idle-channels.ts'
import { createOfferedFiles } from '../offered-files.ts'
import type { PanelServices } from '../panel-handlers.ts'
import { createFilesHandlers } from './files-handlers.ts'

// Its dialogs are Electron's, which a unit test has none of.
vi.mock('electron', () => ({ dialog: {} }))

const context: CallContext = { signal: new AbortController().signal, onProgress: () => {} }
const place = { id: 'a'.repeat(64), root: 'project', path: '.' } as const

it.each([[['/one/notes', '/two/notes']], [['/x/a', '/x/b', '/y/a']]])('copies none of files of one name: %j', async (paths) => {
  const offered = createOfferedFiles()
  const asked: string[] = []
  const use: IdleChannels['use'] = async (id) => {
    asked.push(id)
    throw new Error('nothing should be asked of the sandbox')
  }
  const handlers = createFilesHandlers({ offered } as PanelServices, { use } as IdleChannels)
  const { offerId } = offered.offer(paths)!
  for (const replaces of [false, true]) {
    await expect(handlers['files.copyIn']({ ...place, offerId, replaces }, context)).rejects.toMatchObject({ report: { code: 'usage', message: expect.stringMatching(/^Two of these are called (notes|a),/) } })
  }
  expect(asked).toEqual([])
})
