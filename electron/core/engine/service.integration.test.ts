import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findPaths } from '../store/paths.ts'
import Docker from 'dockerode'
import { createPodmanApi } from './api.ts'
import { podmanInfo, type PodmanInfo } from './info.ts'
import { findPodman } from './podman-path.ts'
import { createPodman } from './podman.ts'
import { findService, privateSocketFor } from './service.ts'

const folder = mkdtempSync(join(tmpdir(), 'paddock-service-'))
const sockets = join(folder, 'own')
const podman = createPodman(findPodman(findPaths().toolchainPodman))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ping = (socketPath: string) =>
  new Promise<number | undefined>((resolve, reject) => request({ socketPath, path: '/_ping' }, ({ statusCode }) => resolve(statusCode)).once('error', reject).end())

test('a service answers, is found again by a second start, and nobody else may reach its socket', async () => {
  const first = await findService(podman, sockets)
  const second = await findService(podman, sockets)
  try {
    expect(second.socket).toBe(first.socket)
    expect(await ping(first.socket)).toBe(200)
    // Where the account has a socket of its own there is none of Paddock's.
    if (dirname(first.socket) === sockets) expect(statSync(sockets).mode & 0o077).toBe(0)
  } finally {
    second.close()
    first.close()
  }
})

test('a service with other storage is not asked', async () => {
  const info = await podmanInfo(podman)
  const planted = privateSocketFor(join(folder, 'other'), info)
  mkdirSync(dirname(planted), { mode: 0o700 })
  const answer = JSON.stringify({ ...info, store: { ...info.store, graphRoot: '/elsewhere' } })
  const server = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(answer))
  await new Promise<void>((resolve) => server.listen(planted, resolve))
  const service = await findService(podman, dirname(planted))
  try {
    expect(await ping(service.socket)).toBe(200)
    const { store } = (await createPodmanApi(new Docker({ socketPath: service.socket })).get('/info')) as PodmanInfo
    expect(store.graphRoot).toBe(info.store.graphRoot)
  } finally {
    service.close()
    server.close()
  }
})
