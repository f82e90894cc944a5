import type { ShellPlace } from '../../shared/domain/shell-layout.ts'
import { fakeSandbox, type Scene } from './scene.ts'
import type { Screen } from './scenes.ts'

const { id } = fakeSandbox('a1', 'api-server')

/** Opens shells one after the other; `first` goes back to the first tab. */
const open = (...places: (ShellPlace | 'first')[]): NonNullable<Screen['act']> => async (state) => {
  await state.showSandbox(id)
  for (const place of places) await (place === 'first' ? state.stepPane(id, 1) : state.openShell(id, place))
}

const noChannel = 'it was started by plain Podman, without the keys of a guest channel'

/** A sandbox with several terminals, and the days on which there is none. */
export function shellScreens(typical: () => Scene): Record<string, Screen> {
  const unreachable = (): Scene => {
    const scene = typical()
    const error = { code: 'channel-unavailable' as const, message: `Sandbox a10000000000 cannot be reached from here: ${noChannel}.` }
    return { ...scene, errors: { 'shell.open': error }, sandboxes: scene.sandboxes.map((sandbox) => ({ ...sandbox, channelProblem: noChannel })) }
  }
  return {
    shells: { scene: typical, act: open('tab', 'tab') },
    'shells-split': { scene: typical, act: open('beside', 'below', 'tab', 'first') },
    'shells-connecting': { scene: () => ({ ...typical(), silent: ['shell.open'] }), act: open('beside') },
    'shells-none': { scene: unreachable, act: open('tab') },
    'shells-close': {
      scene: typical,
      act: async (state, scene) => {
        await open('tab', 'tab')(state, scene)
        await state.closeShell(id, 'shell 1')
      },
    },
    'shells-lost': {
      scene: typical,
      act: async (state, scene) => {
        await open('beside', 'tab', 'first')(state, scene)
        state.noteShellExit(id, 'shell 1', null)
      },
    },
  }
}
