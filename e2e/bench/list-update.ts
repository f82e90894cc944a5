import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { sandboxLabels } from '../../shared/domain/launch.ts'
import type { Sandbox } from '../../shared/domain/sandbox.ts'
import { createFakePodman, type FakePodman } from '../fixtures/fake-podman/fake-podman.ts'
import { openWindow, type WindowApp } from '../fixtures/window-app.ts'
import { createWorld, root, type World } from '../harness.ts'
import { painted } from './painted.ts'
import { addProjects } from './projects.ts'
import type { Report } from './report.ts'

const sandboxCount = 200
const profileCount = 300
const updates = 15
/** What still feels like at once: Nielsen, Usability Engineering, 5.5. */
const limitMs = 100

/** Lists of a size that nobody has yet, from a fake Podman and through the real app. */
export async function benchListUpdate(report: Report): Promise<void> {
  const world = createWorld('bench')
  const fake = createFakePodman()
  try {
    const folders = addProjects(world, 80)
    for (let at = 1; at <= profileCount; at++) world.profile(`team-${String(at).padStart(3, '0')}`, 'FROM localhost/paddock:minimal\n')
    fake.answer(rules(folders))
    writeLaunchRecords(world)
    const window = await openWindow(world, { env: { PADDOCK_PODMAN: fake.path } })
    try {
      report.median('first draw, from the page’s start', 'ms', await timeFirstDraws(window))
      report.median('sandboxes changed, to the frame that shows it', 'ms', await timeSandboxes(window), limitMs)
      report.median('profiles changed, to the answered question', 'ms', await timeProfiles(window.page))
    } finally {
      await window.kill()
    }
  } finally {
    fake.remove()
    await world.dispose()
  }
}

const launchIdOf = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`

/** What the sandboxes have reported: Podman is asked about those only that Paddock did not start. */
function writeLaunchRecords({ launchesFolder }: World): void {
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id')
  for (let at = 0; at < sandboxCount; at++) {
    mkdirSync(join(launchesFolder, launchIdOf(at)), { recursive: true })
    writeFileSync(join(launchesFolder, launchIdOf(at), 'boot-id'), bootId)
  }
}

/** Recorded answers, many times over. */
function rules(folders: readonly string[]): Parameters<FakePodman['answer']>[0] {
  const recorded = (name: string) => JSON.parse(readFileSync(join(root, 'e2e/fixtures/fake-podman/recordings', name), 'utf8')) as Record<string, unknown>[]
  const idOf = (at: number) => (0x1000 + at).toString(16).padEnd(64, '0')
  const many = (one: Record<string, unknown>, more: (at: number) => object) => JSON.stringify(Array.from({ length: sandboxCount }, (_, at) => ({ ...one, Id: idOf(at), ...more(at) })))
  const listed = recorded('ps.json')[0]!
  const inspected = recorded('container-inspect.json')[0]!
  const [image] = recorded('image-inspect.json')
  const labels = (at: number) => ({ [sandboxLabels.launch]: launchIdOf(at), [sandboxLabels.profile]: 'team-001' })
  const mounts = (at: number) => [{ Source: folders[at % folders.length], Destination: '/home/ai/sandbox' }]
  return [
    { on: '^info', stdout: readFileSync(join(root, 'e2e/fixtures/fake-podman/recordings/info.json'), 'utf8') },
    { on: '^ps ', stdout: many(listed, (at) => ({ Labels: labels(at) })) },
    { on: '^container inspect', stdout: many(inspected, (at) => ({ Mounts: mounts(at), Config: { ...(inspected.Config as object), Labels: labels(at) } })) },
    { on: '^image inspect', stdout: JSON.stringify([image]) },
  ]
}

const tabCount = `document.querySelectorAll('[data-tab]').length`

async function timeFirstDraws({ page }: WindowApp): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < 5; at++) {
    await page.reload()
    const drawn = painted(`${tabCount} === ${sandboxCount} && document.querySelector('[aria-label="Profiles"] [data-row]') !== null`)
    times.push((await page.evaluate(`${drawn}.then((at) => at - performance.timeOrigin)`)) as number)
  }
  return times
}

/** From the main process's sending, which is before the event is there, to the painted frame. */
async function timeSandboxes({ app, page, call }: WindowApp): Promise<number[]> {
  const { value: all } = (await call('sandbox.list', {})) as { value: Sandbox[] }
  const times: number[] = []
  for (let at = 1; at <= updates; at++) {
    const sandboxes = all.slice(0, sandboxCount - at)
    const shown = page.evaluate(painted(`${tabCount} === ${sandboxes.length}`))
    // The question must be waiting in the page before the answer is sent.
    await page.evaluate('0')
    const sentAt = await app.evaluate(
      ({ BrowserWindow }, event) => {
        const sent = performance.timeOrigin + performance.now()
        BrowserWindow.getAllWindows()[0]!.webContents.send('paddock:event', event)
        return sent
      },
      { type: 'sandboxes', revision: 1_000_000 + at, sandboxes },
    )
    times.push(((await shown) as number) - sentAt)
  }
  return times
}

async function timeProfiles(page: Page): Promise<number[]> {
  const times: number[] = []
  for (let at = 0; at < 5; at++) {
    times.push(
      (await page.evaluate(`(async () => {
        const before = performance.now()
        const { ok, value } = await paddock.call('profile.list', {}, crypto.randomUUID())
        if (!ok || value.length < ${profileCount}) throw new Error('not all profiles were listed')
        return performance.now() - before
      })()`)) as number,
    )
  }
  return times
}
