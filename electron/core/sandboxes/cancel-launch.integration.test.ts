import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { createCore } from '../core.ts'

const folder = mkdtempSync(join(tmpdir(), 'paddock-cancel-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a launch that was called off before anything could listen does not start, and leaves no folder', async () => {
  const environment = { ...process.env, XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state'), PADDOCK_ISOLATION: 'container' }
  const core = createCore({ bundledProfiles: fileURLToPath(new URL('../../../profiles', import.meta.url)), environment })
  const quiet = { signal: new AbortController().signal, onProgress: () => {} }
  await core.handlers['profile.build']({ profile: 'minimal', force: false }, quiet)
  const input = { profile: 'minimal', project: folder, cwd: '/', tty: false, command: ['true'], acceptFindings: false }
  // Paddock's own folders may not be the project, and here they lie inside it.
  const project = mkdtempSync(join(tmpdir(), 'paddock-cancel-project-'))
  try {
    const called = core.handlers['sandbox.prepare']({ ...input, project }, { ...quiet, signal: AbortSignal.abort() })
    await expect(called).rejects.toMatchObject({ report: { code: 'cancelled' } })
    expect(existsSync(core.paths.launchesFolder) ? readdirSync(core.paths.launchesFolder) : []).toEqual([])
    const plan = await core.handlers['sandbox.prepare']({ ...input, project }, quiet)
    expect(readdirSync(core.paths.launchesFolder)).toEqual([plan.launchId])
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
})
