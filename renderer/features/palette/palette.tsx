import { Command } from 'cmdk'
import { useEffect, useRef } from 'react'
import { useTabs } from '../../app/use-tabs.ts'
import { useActions, useApp } from '../../store/context.tsx'

/** Everything that can be done, by a few typed letters. */
export function Palette() {
  const isOpen = useApp((state) => state.isPaletteOpen)
  return isOpen ? <OpenPalette /> : null
}

function OpenPalette() {
  const actions = useActions()
  const projects = useApp((state) => state.projects) ?? []
  const profiles = useApp((state) => state.profiles) ?? []
  const tabs = useTabs()
  const input = useRef<HTMLInputElement>(null)
  const running = tabs.filter(({ isEnded }) => !isEnded)
  useEffect(() => {
    const before = document.activeElement
    input.current?.focus()
    return () => {
      if (document.activeElement === document.body && before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const close = () => actions.setPalette(false)
  const run = (action: () => void) => () => {
    close()
    action()
  }
  const items: [string, () => void][] = [
    ...tabs.map(({ id, title }): [string, () => void] => [`Show ${title}`, () => void actions.attach(id)]),
    ...projects.map(({ folder, name }): [string, () => void] => [`Project ${name}`, () => actions.show({ kind: 'project', folder })]),
    ...projects.filter(({ exists }) => exists).map(({ folder, name }): [string, () => void] => [`Launch ${name}`, () => void actions.quickLaunch(folder)]),
    ...profiles.map(({ name }): [string, () => void] => [`Profile ${name}`, () => actions.show({ kind: 'profile', name })]),
    ...running.map(({ id, title }): [string, () => void] => [`Copy the podman command of ${title}`, () => void actions.copyCommand(id)]),
    ...running.map(({ id, title }): [string, () => void] => [`Restart ${title}`, () => void actions.restart(id)]),
    ...running.map(({ id, title }): [string, () => void] => [`Stop ${title}`, () => void actions.stop(id)]),
    ['Open a project folder…', () => void actions.pickProject()],
    ['Settings', () => actions.setPanel('settings')],
    ['Host: check this machine', () => actions.setPanel('host')],
    ['About Paddock', () => actions.setPanel('about')],
    ['Theme: light', () => void actions.changeSettings({ theme: 'light' })],
    ['Theme: dark', () => void actions.changeSettings({ theme: 'dark' })],
    ['Theme: as the system', () => void actions.changeSettings({ theme: 'system' })],
  ]
  return (
    <div className="palette-back" role="dialog" aria-modal aria-label="Command palette" onClick={close}>
      <Command
        className="palette"
        label="Command palette"
        loop
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          // The field is all there is to focus.
          if (event.key === 'Tab') event.preventDefault()
          if (event.key !== 'Escape') return
          event.stopPropagation()
          close()
        }}
      >
        <Command.Input ref={input} placeholder="What do you want to do?" />
        <Command.List>
          <Command.Empty>Nothing fits.</Command.Empty>
          {items.map(([title, action], index) => (
            <Command.Item key={`${index} ${title}`} value={`${title} ${index}`} onSelect={run(action)}>
              {title}
            </Command.Item>
          ))}
        </Command.List>
      </Command>
    </div>
  )
}
