import { beforeEach, describe, expect, it } from 'vitest'
import type { ErrorReport } from '../../shared/errors/paddock-error.ts'
import { createNotifications, type Notifications, type Place } from './notifications.ts'

const id = 'a'.repeat(64)
const project = '/home/me/über uns'
let facts: { isWatched: boolean; failure: ErrorReport | null; outOfMemory: boolean }
let shown: { title: string; body: string; click: () => void }[]
let opened: Place[]
let notifications: Notifications

beforeEach(() => {
  facts = { isWatched: false, failure: null, outOfMemory: false }
  shown = []
  opened = []
  notifications = createNotifications({
    isWatched: () => facts.isWatched,
    show: (notice, click) => shown.push({ ...notice, click }),
    open: (place) => opened.push(place),
    failureOf: async () => facts.failure,
    wasOutOfMemory: async () => facts.outOfMemory,
  })
})
const bodies = () => shown.map(({ body }) => body)

describe('a sandbox that goes on', () => {
  it('is told of when something in it was ended for want of memory, and a click leads to it', () => {
    notifications.ranOutOfMemory({ id, project })
    expect(shown).toMatchObject([{ title: 'Out of memory', body: 'über uns ran out of memory; something in it was ended.' }])
    shown[0]!.click()
    expect(opened).toEqual([{ sandboxId: id, project }])
  })
})

describe('the end of a sandbox', () => {
  it('is told with its exit code, and a click leads to it', async () => {
    await notifications.sandboxEnded({ id, project, exitCode: 3 })
    expect(shown).toMatchObject([{ title: 'Sandbox ended', body: 'über uns ended with exit code 3.' }])
    shown[0]!.click()
    expect(opened).toEqual([{ sandboxId: id, project }])
  })

  it('is told by its short id when it has no project', async () => {
    await notifications.sandboxEnded({ id, project: null, exitCode: 1 })
    expect(bodies()).toEqual(['aaaaaaaaaaaa ended with exit code 1.'])
  })

  it('is not told when it was a good one, was asked for, or is seen in the window', async () => {
    await notifications.sandboxEnded({ id, project, exitCode: 0 })
    notifications.expectEnd([id])
    await notifications.sandboxEnded({ id, project, exitCode: 137 })
    facts.isWatched = true
    await notifications.sandboxEnded({ id: 'b', project, exitCode: 137 })
    expect(shown).toEqual([])
  })

  it('is told of another sandbox than the one that is being ended', async () => {
    notifications.expectEnd(['b'])
    await notifications.sandboxEnded({ id, project, exitCode: 137 })
    expect(shown).toHaveLength(1)
  })

  it('names the want of memory', async () => {
    facts.outOfMemory = true
    await notifications.sandboxEnded({ id, project, exitCode: 137 })
    expect(shown).toMatchObject([{ title: 'Out of memory', body: 'über uns ended with exit code 137 after it ran out of memory.' }])
  })

  it('says why Paddock ended it, once', async () => {
    facts.failure = { code: 'isolation-broken', message: 'The sandbox was stopped: it runs on the host’s own kernel.' }
    await notifications.sandboxEnded({ id, project, exitCode: 137 })
    expect(shown).toMatchObject([{ title: 'Sandbox stopped', body: facts.failure.message }])
  })
})

describe('the end of a build', () => {
  it('is told with what it was for, and a click leads there', () => {
    notifications.buildEnded({ profile: 'web', project, hasWorked: true })
    notifications.buildEnded({ profile: 'web', project: null, hasWorked: false })
    expect(shown).toMatchObject([
      { title: 'Image built', body: 'web, for über uns' },
      { title: 'Build failed', body: 'web' },
    ])
    shown[0]!.click()
    expect(opened).toEqual([{ sandboxId: null, project }])
  })

  it('is not told when the window shows it', () => {
    facts.isWatched = true
    notifications.buildEnded({ profile: 'web', project, hasWorked: false })
    expect(shown).toEqual([])
  })
})
