import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findPaths } from '../store/paths.ts'
import { inspectContainers, listContainers, removeContainer } from './containers.ts'
import { imageExists, inspectImages } from './images.ts'
import { podmanInfo } from './info.ts'
import { findPodman } from './podman-path.ts'
import { createPodman } from './podman.ts'

const podman = createPodman(findPodman(findPaths().toolchainPodman))
const image = 'localhost/paddock-integration:latest'
const absent = 'localhost/paddock-integration-absent:latest'
let id: string

beforeAll(async () => {
  // An image of nothing is enough: nothing is started in it.
  const built = await podman.run(['build', '--quiet', '--tag', image, '--label', 'made=here', '-'], { input: 'FROM scratch\nCMD ["/none"]\n' })
  expect(built.stdout.trim()).toMatch(/^[0-9a-f]{64}$/)
  id = (await podman.run(['create', '--network', 'none', '--label', 'dev.paddock.project=/a b', image])).stdout.trim()
})
afterAll(async () => {
  await removeContainer(podman, id)
  await podman.try(['rmi', '--force', '--ignore', image])
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

  test('images are found by reference, and those that are missing are left out without an error', async () => {
    const facts = await inspectImages(podman, [absent, image, 'localhost/paddock-integration'])
    expect([...facts.keys()]).toEqual([image, 'localhost/paddock-integration'])
    expect(facts.get(image)).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{64}$/), labels: { made: 'here' } })
    expect(Date.parse(facts.get(image)!.created)).not.toBeNaN()
    expect([await imageExists(podman, image), await imageExists(podman, absent)]).toEqual([true, false])
  })

  test('a malformed reference is an error and not a missing image', async () => {
    await expect(inspectImages(podman, ['localhost/UPPER CASE'])).rejects.toMatchObject({ report: { code: 'podman-failed' } })
  })

  test('a container that was never started is listed and inspected; one that is missing is left out', async () => {
    expect((await listContainers(podman)).find(({ Id }) => Id === id)).toMatchObject({ Image: image, State: 'created', Labels: { 'dev.paddock.project': '/a b' } })
    const inspected = await inspectContainers(podman, ['f'.repeat(64), id])
    expect(inspected).toHaveLength(1)
    expect(inspected[0]).toMatchObject({ Id: id, State: { Status: 'created' }, ImageName: image })
    expect(inspected[0]!.Config.CreateCommand).toContain('create')
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
