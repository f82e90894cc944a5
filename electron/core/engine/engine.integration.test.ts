import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Docker from 'dockerode'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPaths } from '../store/paths.ts'
import { createPodmanApi } from './api.ts'
import { inspectContainers, listContainers, removeContainer } from './containers.ts'
import { inspectImages } from './images.ts'
import { podmanInfo } from './info.ts'
import { findPodman } from './podman-path.ts'
import { createPodman, type Podman } from './podman.ts'
import { findService, type Service } from './service.ts'

const podman = createPodman(findPodman(findPaths().toolchainPodman))
const image = 'localhost/paddock-integration:latest'
const absent = 'localhost/paddock-integration-absent:latest'
const folder = mkdtempSync(join(tmpdir(), 'paddock-engine-'))
/** The same Podman, asked over its socket; its command fails whatever it is asked, so that nothing falls back on it. */
const bySocket: Podman = { ...podman, try: () => Promise.reject(new Error('the command was asked')), run: () => Promise.reject(new Error('the command was asked')) }
let service: Service
let id: string

beforeAll(async () => {
  service = await findService(podman, folder)
  bySocket.api = createPodmanApi(new Docker({ socketPath: service.socket }))
  // An image of nothing is enough: nothing is started in it.
  const built = await podman.run(['build', '--quiet', '--tag', image, '--label', 'made=here', '-'], { input: 'FROM scratch\nCMD ["/none"]\n' })
  expect(built.stdout.trim()).toMatch(/^[0-9a-f]{64}$/)
  id = (await podman.run(['create', '--network', 'none', '--label', 'dev.paddock.project=/a b', image])).stdout.trim()
})
afterAll(async () => {
  await removeContainer(podman, id)
  await podman.try(['rmi', '--force', '--ignore', image])
  service.close()
  rmSync(folder, { recursive: true })
})

describe('what the real Podman answers', () => {
  test('info is understood, and is of a rootless local Podman', async () => {
    const info = await podmanInfo(podman)
    expect(Number(info.version.Version.split('.')[0])).toBeGreaterThanOrEqual(5)
    expect(info.host.security.rootless).toBe(true)
    expect(info.host.serviceIsRemote).toBe(false)
    expect(info.host.pasta?.executable).toMatch(/pasta$/)
    expect(info.store.graphRoot).toMatch(/^\//)
  })

  test('an OCI runtime that is not configured is a failure that names it', async () => {
    await expect(podmanInfo(podman, 'no-such-runtime')).rejects.toMatchObject({ report: { code: 'podman-failed', message: expect.stringContaining('no-such-runtime') } })
  })

  test('a malformed reference is an error and not a missing image', async () => {
    await expect(inspectImages(podman, ['localhost/UPPER CASE'])).rejects.toMatchObject({ report: { code: 'podman-failed' } })
  })

  test('removing twice succeeds, and what was removed is not listed', async () => {
    const other = (await podman.run(['create', '--network', 'none', image])).stdout.trim()
    await removeContainer(podman, other)
    await removeContainer(podman, other)
    expect((await listContainers(podman)).map(({ Id }) => Id)).not.toContain(other)
  })

  test('a failed call carries its command, exit code and the end of what it said', async () => {
    await expect(podman.run(['run', '--rm', '--network', 'none', image])).rejects.toMatchObject({
      report: { code: 'podman-failed', exitCode: 127, command: expect.arrayContaining(['run']), stderrTail: expect.stringContaining('/none') },
    })
  })
})

describe.each([
  ['its command', podman],
  ['its socket', bySocket],
])('asked by %s', (_way, asked) => {
  test('images are found by reference, and those that are missing are left out without an error', async () => {
    const facts = await inspectImages(asked, [absent, image, 'localhost/paddock-integration'])
    expect([...facts.keys()]).toEqual([image, 'localhost/paddock-integration'])
    expect(facts.get(image)).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{64}$/), labels: { made: 'here' } })
    expect(Date.parse(facts.get(image)!.created)).not.toBeNaN()
  })

  test('a container that was never started is listed and inspected; one that is missing is left out', async () => {
    expect((await listContainers(asked)).find(({ Id }) => Id === id)).toMatchObject({ Image: image, State: 'created', Labels: { 'dev.paddock.project': '/a b' } })
    const inspected = await inspectContainers(asked, ['f'.repeat(64), id])
    expect(inspected).toHaveLength(1)
    expect(inspected[0]).toMatchObject({ Id: id, State: { Status: 'created' }, ImageName: image })
    expect(inspected[0]!.Config.CreateCommand).toContain('create')
  })
})

test('both ways know the same of a container and of an image', async () => {
  expect(await inspectContainers(bySocket, [id])).toEqual(await inspectContainers(podman, [id]))
  expect(await inspectImages(bySocket, [image])).toEqual(await inspectImages(podman, [image]))
  expect((await listContainers(bySocket)).find(({ Id }) => Id === id)).toEqual((await listContainers(podman)).find(({ Id }) => Id === id))
})

test('a socket that answers no more leaves the question to the command', async () => {
  const lost: Podman = { ...podman, api: createPodmanApi(new Docker({ socketPath: join(folder, 'nobody.sock') })) }
  expect((await inspectContainers(lost, [id]))[0]).toMatchObject({ Id: id })
})
