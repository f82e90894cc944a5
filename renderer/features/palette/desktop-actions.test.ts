import { describe, expect, it } from 'vitest'
import { asking, createTestApi } from '../../dev/test-api.ts'
import { fakeSandbox } from '../../dev/scene.ts'
import { registerDesktop } from '../desktop/desktop-handles.ts'
import { desktopActions } from './desktop-actions.ts'

const { id } = fakeSandbox('a1', 'web')

/** A window in which a sandbox is in sight. */
async function inSight(rest: Parameters<typeof fakeSandbox>[2]) {
  const test = createTestApi({ 'desktop.openWindow': () => ({}), 'desktop.closeWindow': () => ({}), 'desktop.pause': () => ({}), 'desktop.board': () => ({ isPaused: true, act: null }) })
  test.state().setSandboxes([fakeSandbox('a1', 'web', rest)])
  await test.state().showSandbox(id)
  const actions = () => desktopActions(test.state())
  return { ...test, texts: () => actions().map(({ text }) => text), run: (text: string) => actions().find((one) => one.text === text)!.run() }
}

describe('the palette', () => {
  it('has nothing of desktops where the sandbox in sight has none, has ended, or is none', async () => {
    expect((await inSight({ hasDesktop: false })).texts()).toEqual([])
    expect((await inSight({ hasDesktop: true, state: 'exited' })).texts()).toEqual([])
    const { state, texts } = await inSight({ hasDesktop: true })
    state().showWelcome()
    expect(texts()).toEqual([])
  })

  it('shows a desktop where it is not', async () => {
    const { texts, run, state } = await inSight({ hasDesktop: true })
    const places = () => texts().filter((text) => /^(Show|Hide|Go)/.test(text))
    expect(places()).toEqual(['Show only the desktop', 'Show the desktop in a window of its own', 'Hide the desktop'])
    run('Show only the desktop')
    expect(places()).toEqual(['Show the desktop beside the terminal', 'Show the desktop in a window of its own', 'Hide the desktop'])
    run('Hide the desktop')
    expect(places()).toEqual(['Show the desktop beside the terminal', 'Show only the desktop', 'Show the desktop in a window of its own'])
    state().setDesktopWindows([id])
    expect(places()).toEqual(['Show the desktop beside the terminal', 'Show only the desktop', 'Go to the desktop’s window', 'Hide the desktop'])
  })

  it('fills the screen, views and asks for an address only where the desktop is drawn', async () => {
    const { texts, run, state } = await inSight({ hasDesktop: true })
    const ofDrawn = () => texts().filter((text) => /full screen|only$|Work|address/.test(text))
    expect(ofDrawn()).toEqual([])
    const asked: string[] = []
    const forget = registerDesktop(id, { fillScreen: () => asked.push('screen'), askUrl: () => asked.push('address') })
    expect(ofDrawn()).toEqual(['Show the desktop full screen', 'View the desktop only', 'Open an address in the desktop…'])
    for (const text of ofDrawn()) run(text)
    expect([asked, state().desktopView.isViewOnly]).toEqual([['screen', 'address'], true])
    expect(ofDrawn()[1]).toBe('Work in the desktop again')
    forget()
    expect(ofDrawn()).toEqual([])
  })

  it('pauses agents, and lets them go on', async () => {
    const { texts, run, calls, state } = await inSight({ hasDesktop: true })
    run('Pause agents that work in the desktop')
    await expect.poll(() => state().desktopBoards[id]?.isPaused).toBe(true)
    expect(asking({ calls }, 'desktop.pause')).toEqual([{ name: 'desktop.pause', input: { id, isPaused: true } }])
    expect(texts()).toContain('Let agents work in the desktop again')
  })
})
