import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findPaths } from '../store/paths.ts'
import { findPodman } from './podman-path.ts'
import { createPodman } from './podman.ts'
import { findService } from './service.ts'

const folder = mkdtempSync(join(tmpdir(), 'paddock-service-'))
const socket = join(folder, 'own/podman.sock')
const podman = createPodman(findPodman(findPaths().toolchainPodman))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ping = (socketPath: string) =>
  new Promise<number | undefined>((resolve, reject) => request({ socketPath, path: '/_ping' }, ({ statusCode }) => resolve(statusCode)).once('error', reject).end())

test('a service answers, is found again by a second start, and nobody else may reach its socket', async () => {
  const first = await findService(podman, socket)
  const second = await findService(podman, socket)
  try {
    expect(second.socket).toBe(first.socket)
    expect(await ping(first.socket)).toBe(200)
    // Where the account has a socket of its own there is none of Paddock's.
    if (first.socket === socket) expect(statSync(dirname(socket)).mode & 0o077).toBe(0)
  } finally {
    second.close()
    first.close()
  }
})
