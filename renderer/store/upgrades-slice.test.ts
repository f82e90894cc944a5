import { describe, expect, test } from 'vitest'
import type { PinReport, UpgradeReport } from '../../shared/domain/upgrade.ts'
import { asking, createTestApi, deferred, refused } from '../dev/test-api.ts'

const newer: PinReport = { profile: 'base', npm: 'tool', current: '1.0.0', state: 'newer', next: { version: '1.1.0', integrity: '', ageDays: 9 }, held: null, error: null }
const report = (written: string[] = []): UpgradeReport => ({ pins: [newer, { ...newer, npm: 'other', state: 'current', next: null }], written, bases: [] })

describe('a look for newer versions', () => {
  test('shows what it finds, then writes what was shown and nothing else, and asks how the profiles stand', async () => {
    const answers = [report(), report(['/base/Containerfile'])]
    const window = createTestApi({ 'profile.upgrade': () => answers.shift() })
    await window.state().checkUpgrade('web')
    expect(window.state().upgrades.web).toMatchObject({ status: 'checked', report: report() })
    await window.state().applyUpgrade('web')
    expect(window.state().upgrades.web?.status).toBe('written')
    expect(asking(window, 'profile.upgrade').map(({ input }) => input)).toEqual([
      { name: 'web', minAgeDays: 2, apply: false },
      { name: 'web', minAgeDays: 2, apply: true, shown: [{ profile: 'base', npm: 'tool', version: '1.1.0' }] },
    ])
    expect(asking(window, 'profile.list')).toHaveLength(1)
  })

  test('tells how far it is, can be cancelled, and leaves no report then', async () => {
    const ready = deferred()
    const { state } = createTestApi({
      'profile.upgrade': (_input, { onProgress, signal }) => {
        onProgress?.({ kind: 'step', text: '1 of 2' })
        return ready.promise.then(() => {
          throw { code: signal?.aborted ? 'cancelled' : 'internal', message: '' }
        })
      },
    })
    const checking = state().checkUpgrade('web')
    expect(state().upgrades.web).toMatchObject({ status: 'checking', step: '1 of 2' })
    state().cancelUpgrade('web')
    expect(state().upgrades.web?.status).toBe('cancelling')
    ready.resolve(null)
    await checking
    expect(state().upgrades.web).toMatchObject({ status: 'cancelled', error: null })
  })

  test('that is not answered says why, and another look is possible', async () => {
    const answers = [() => { throw refused }, () => report()]
    const { state } = createTestApi({ 'profile.upgrade': () => answers.shift()!() })
    await state().checkUpgrade('web')
    expect(state().upgrades.web).toMatchObject({ status: 'failed', error: refused })
    await state().checkUpgrade('web')
    expect(state().upgrades.web).toMatchObject({ status: 'checked', error: null })
    state().dismissUpgrade('web')
    expect(state().upgrades).toEqual({})
  })

  test('whose pins fail to be written says so beside them, and asks how the profiles stand', async () => {
    const answers = [() => report(), () => { throw refused }]
    const window = createTestApi({ 'profile.upgrade': () => answers.shift()!() })
    await window.state().checkUpgrade('web')
    await window.state().applyUpgrade('web')
    expect(window.state().upgrades.web).toMatchObject({ status: 'failed', report: report(), error: refused })
    expect(asking(window, 'profile.list')).toHaveLength(1)
  })

  test('whose pins could not be written stays a look', async () => {
    const { state } = createTestApi({ 'profile.upgrade': () => report() })
    await state().checkUpgrade('web')
    await state().applyUpgrade('web')
    expect(state().upgrades.web?.status).toBe('checked')
  })
})
