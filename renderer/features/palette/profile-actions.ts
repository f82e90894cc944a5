import { CopyPlus, FileInput, FolderInput, FolderOutput, Layers, Pencil, PencilLine, Play, Plus, RotateCw, Trash2 } from 'lucide-react'
import type { ProfileStatus } from '../../../shared/domain/profile.ts'
import type { AppState } from '../../store/store.ts'
import type { PaletteItem } from './palette-items.ts'

/** What can be done with profiles: with the one whose panel is open, and with any that is searched for. */
export function profileActions(state: AppState, isSearching: boolean): PaletteItem[] {
  const { panel, profiles } = state
  const isShown = ({ name }: ProfileStatus) => panel?.kind === 'profile' && panel.name === name
  const add = (id: string, text: string, icon: PaletteItem['icon'], run: () => void): PaletteItem => ({ id, group: 'Profiles', text, icon, run })
  return [
    ...(profiles ?? []).filter(isShown).flatMap((profile) => actionsOf(state, profile)),
    add('new profile', 'New profile…', Plus, () => state.startTask({ kind: 'new' })),
    ...(isSearching
      ? [
          add('import file', 'Import a profile from a file…', FileInput, () => void state.importProfile('file')),
          add('import folder', 'Import a profile from a folder…', FolderInput, () => void state.importProfile('folder')),
          ...(profiles ?? []).filter((profile) => !isShown(profile)).flatMap((profile) => [show(state, profile), ...actionsOf(state, profile)]),
        ]
      : []),
  ]
}

function show(state: AppState, { name }: ProfileStatus): PaletteItem {
  return { id: `show ${name}`, group: 'Profiles', text: `Show profile ${name}`, icon: Layers, run: () => state.openPanel({ kind: 'profile', name }) }
}

function actionsOf(state: AppState, { name, source, runnable, error, base }: ProfileStatus): PaletteItem[] {
  const add = (id: string, text: string, icon: PaletteItem['icon'], run: () => void): PaletteItem => ({ id: `${id} ${name}`, group: 'Profiles', text, icon, run })
  const check = () => {
    state.openPanel({ kind: 'profile', name })
    void state.checkUpgrade(name)
  }
  return [
    add('edit', `Edit profile ${name}`, Pencil, () => void state.editProfile(name)),
    ...(runnable && error === null ? [add('try', `Try ${name} in a throwaway sandbox`, Play, () => void state.tryProfile(name))] : []),
    ...(error === null ? [add('check', `Check ${name} for updates`, RotateCw, check)] : []),
    ...(base ? [add('refresh', `Refresh the base packages of ${name}`, RotateCw, () => void state.refreshBase(name))] : []),
    add('duplicate', `Duplicate ${name}…`, CopyPlus, () => state.startTask({ kind: 'duplicate', name })),
    ...(source === 'user' ? [add('rename', `Rename ${name}…`, PencilLine, () => state.startTask({ kind: 'rename', name }))] : []),
    add('export', `Export ${name} as a folder…`, FolderOutput, () => void state.exportProfile(name)),
    ...(source === 'user' ? [add('delete', `Delete ${name}…`, Trash2, () => state.startTask({ kind: 'delete', name }))] : []),
  ]
}
