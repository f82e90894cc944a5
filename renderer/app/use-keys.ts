import { useEffect } from 'react'
import { tabsOf } from '../../shared/domain/sandbox-tabs.ts'
import { useAppStore } from '../store/context.tsx'
import { paneInSight, sandboxInSight } from '../store/shells-slice.ts'
import type { AppState, AppStore } from '../store/store.ts'
import { currentProject } from '../store/current-project.ts'
import { keyCommand, type KeyCommand } from './keys.ts'
import { moveBetweenRegions } from './regions.ts'

/** The app's own keys, taken before a terminal sees them; all others belong to what has the focus. */
export function useKeys(): void {
  const store = useAppStore()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A dialog, a menu and a question have their own keys, and a desktop gets all of them.
      if (event.defaultPrevented || isInLayer(event.target)) return
      const command = keyCommand(event, isInTerminal(event.target))
      if (command === null || !obey(store, command)) return
      event.preventDefault()
      event.stopPropagation()
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [store])
}

/** @returns whether the key meant something */
function obey(store: AppStore, command: KeyCommand): boolean {
  const state = store.getState()
  switch (command.kind) {
    case 'palette':
      state.openPalette({ kind: 'all' })
      return true
    case 'launch': {
      const folder = currentProject(state)
      if (folder === null) state.openPalette({ kind: 'launch' })
      else void state.requestLaunch(folder)
      return true
    }
    case 'new-shell': {
      const id = sandboxInSight(state)
      if (id === null) state.openPalette({ kind: 'launch' })
      else void state.openShell(id, 'tab')
      return true
    }
    case 'split':
    case 'close-shell':
    case 'step-terminal':
      return obeyInSandbox(state, command)
    case 'tab': {
      const tab = tabsOf(state.sandboxes ?? [], Object.values(state.open))[command.index]
      if (tab) void state.showSandbox(tab.id)
      return true
    }
    case 'next-region':
    case 'previous-region':
      moveBetweenRegions(command.kind === 'next-region' ? 1 : -1)
      return true
    case 'save':
      if (state.view.kind !== 'editor') return false
      commitField()
      void state.saveProfile(state.view.name)
      return true
    case 'leave':
      if (state.panel !== null) state.openPanel(null)
      else if (state.asking !== null) state.stopAsking()
      else return false
      return true
  }
}

/** What is done with the terminals of the sandbox in sight. @returns whether there is one */
function obeyInSandbox(state: AppState, command: Extract<KeyCommand, { kind: 'split' | 'close-shell' | 'step-terminal' }>): boolean {
  if (state.view.kind !== 'sandbox') return false
  const { id } = state.view
  if (command.kind === 'step-terminal') state.stepPane(id, command.step)
  else if (command.kind === 'close-shell') void state.closeShell(id, paneInSight(state, id))
  else if (sandboxInSight(state) !== null) void state.openShell(id, command.place)
  return true
}

/** A box of the form takes what was typed over when it is left; saving is meant to include it. */
function commitField(): void {
  const field = document.activeElement
  if (!(field instanceof HTMLElement) || !field.closest('.profile-form')) return
  field.blur()
  field.focus()
}

function isInTerminal(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.terminal-box') !== null
}

function isInLayer(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('dialog, [role="menu"], .popover, .confirm, .name-form, .search-bar, .desktop-keys') !== null
}
