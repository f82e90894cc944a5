import { Command } from 'cmdk'
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
  const tabs = useTabs()
  const close = () => actions.setPalette(false)
  const run = (action: () => void) => () => {
    close()
    action()
  }
  const items: [string, () => void][] = [
    ...tabs.map(({ id, title }): [string, () => void] => [`Show ${title}`, () => void actions.attach(id)]),
    ...projects.map(({ folder, name }): [string, () => void] => [`Project ${name}`, () => actions.show({ kind: 'project', folder })]),
    ...tabs.filter(({ isEnded }) => !isEnded).map(({ id, title }): [string, () => void] => [`Stop ${title}`, () => void actions.stop(id)]),
    ['Open a project folder…', () => void actions.pickProject()],
    ['Settings', () => actions.setPanel('settings')],
    ['Host: check this machine', () => actions.setPanel('host')],
    ['About Paddock', () => actions.setPanel('about')],
    ['Theme: light', () => void actions.changeSettings({ theme: 'light' })],
    ['Theme: dark', () => void actions.changeSettings({ theme: 'dark' })],
    ['Theme: as the system', () => void actions.changeSettings({ theme: 'system' })],
  ]
  return (
    <div className="palette-back" onClick={close}>
      <Command
        className="palette"
        label="Command palette"
        loop
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          close()
        }}
      >
        <Command.Input autoFocus placeholder="What do you want to do?" />
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
