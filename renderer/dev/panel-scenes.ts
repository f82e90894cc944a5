import type { AppState } from '../store/store.ts'
import { floorOf } from '../../shared/domain/egress-policy.ts'
import { askingPanels, burstPanels, crowdedPanels, emptyPanels, filledPanels, hostilePanels, type PanelScene } from './fake-panels.ts'
import type { Scene } from './scene.ts'
import type { Screen } from './scenes.ts'

const id = 'a1'.padEnd(64, '0')
const unreachable = { code: 'channel-lost' as const, message: 'The connection to sandbox a10000000000 broke.', hint: 'It may have ended, which "paddock ls" tells, or be paused. Asking again connects anew.' }

/** The panels of a running sandbox: empty, filled, crowded, hostile and failing. */
export function panelScreens(typical: () => Scene): Record<string, Screen> {
  const opened = (kind: 'files' | 'ports' | 'egress' | 'mcp', panels: PanelScene, more: { scene?: Partial<Scene>; act?: (state: AppState, scene: Scene) => unknown } = {}): Screen => ({
    scene: () => ({ ...typical(), panels: { ...panels }, ...more.scene }),
    act: async (state, scene) => {
      await state.showSandbox(id)
      state.openPanel(kind === 'mcp' ? { kind, id, project: null } : { kind, id })
      await more.act?.(state, scene)
    },
  })
  const allowlisted = typical().sandboxes.map((sandbox) => (sandbox.id === id ? { ...sandbox, egress: 'allowlist' as const } : sandbox))
  const limited: { scene: Partial<Scene>; act: (state: AppState, scene: Scene) => void } = { scene: { sandboxes: allowlisted }, act: (state, { panels }) => state.setPrompts(panels.prompts) }
  const showPrompt = async (state: AppState, { panels }: Scene) => {
    await state.showSandbox(id)
    state.setPrompts(panels.prompts)
  }
  const place = { id, root: 'project' as const, path: 'src/upload' }
  const offer = { offerId: 'offer', names: ['notes.txt', 'data'] }
  return {
    files: opened('files', filledPanels),
    'files-deep': opened('files', filledPanels, { act: (state) => state.showFiles(id, { root: 'project', path: 'src/upload', file: null }) }),
    'files-empty': opened('files', emptyPanels),
    'files-crowded': opened('files', crowdedPanels),
    'files-hostile': opened('files', hostilePanels),
    'files-error': opened('files', filledPanels, { scene: { errors: { 'files.list': unreachable } } }),
    'files-text': opened('files', filledPanels, { act: (state) => state.showFiles(id, { root: 'project', path: 'src/upload', file: 'src/upload/retry.ts' }) }),
    'files-link': opened('files', filledPanels, { act: (state) => state.showFiles(id, { root: 'project', path: '.', file: 'current' }) }),
    'files-copies': opened('files', filledPanels, {
      scene: { silent: ['files.download'] },
      act: async (state, scene) => {
        state.showFiles(id, { root: 'project', path: 'src/upload', file: null })
        void state.download({ ...place, path: 'package-lock.json' }, { isFolder: false, sizeBytes: 402_112 })
        await state.copyIn(place, offer)
        scene.panels.existing = ['notes.txt']
        await state.copyIn(place, { ...offer, names: ['notes.txt'] })
      },
    }),
    egress: opened('egress', filledPanels, limited),
    'egress-empty': opened('egress', emptyPanels, limited),
    'egress-crowded': opened('egress', crowdedPanels, limited),
    'egress-asked': opened('egress', burstPanels, limited),
    'egress-open': opened('egress', { ...filledPanels, policy: { ...emptyPanels.policy, mode: 'open', floor: floorOf('open') } }),
    'egress-error': opened('egress', filledPanels, { scene: { ...limited.scene, errors: { 'egress.requests': unreachable } } }),
    'egress-prompt': { scene: () => ({ ...typical(), ...limited.scene, panels: { ...askingPanels } }), act: showPrompt },
    'egress-burst': { scene: () => ({ ...typical(), ...limited.scene, panels: { ...burstPanels } }), act: showPrompt },
    ports: opened('ports', filledPanels),
    'ports-empty': opened('ports', emptyPanels),
    'ports-crowded': opened('ports', crowdedPanels),
    mcp: opened('mcp', filledPanels),
    'mcp-empty': opened('mcp', emptyPanels),
    'mcp-crowded': opened('mcp', crowdedPanels),
    'mcp-error': opened('mcp', filledPanels, { scene: { errors: { 'mcp.list': { code: 'internal', message: 'Unexpected failure: EACCES: permission denied.', hint: 'This is a defect in Paddock; please report it.' } } } }),
    'ports-error': opened('ports', filledPanels, { scene: { errors: { 'ports.list': unreachable } } }),
  }
}
