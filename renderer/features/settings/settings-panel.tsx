import { isolationNote } from '../../../shared/domain/launch-choice.ts'
import type { Settings } from '../../../shared/domain/settings.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { Panel, PanelSection } from '../panels/panel.tsx'
import { defaultFontSize } from '../terminal/terminal-options.ts'
import { CheckField, ChoiceField, NumberField, TextField } from './fields.tsx'
import './settings.css'

/** Everything a person can set; each change holds at once. */
export default function SettingsPanel() {
  const settings = useApp((state) => state.settings)
  const obstacle = useApp((state) => state.obstacle)
  const { changeSettings } = useActions()
  const change = (part: Settings) => void changeSettings(part)
  return (
    <Panel title="Settings">
      <PanelSection title="Sandboxes">
        <ChoiceField
          label="Isolation"
          value={settings.isolation ?? 'microvm'}
          choices={[
            ['microvm', 'microVM'],
            ['container', 'Container'],
          ]}
          hint={isolationNote(settings, obstacle)}
          onChange={(isolation) => change({ isolation })}
        />
        <TextField
          label="Base image"
          value={settings.baseImage ?? ''}
          placeholder="Debian"
          hint="The image that the base profile starts from; used at the next build."
          onChange={(baseImage) => change({ baseImage })}
        />
      </PanelSection>
      <PanelSection title="Appearance">
        <ChoiceField
          label="Theme"
          value={settings.theme ?? 'system'}
          choices={[
            ['system', 'As the system'],
            ['light', 'Light'],
            ['dark', 'Dark'],
          ]}
          onChange={(theme) => change({ theme })}
        />
      </PanelSection>
      <PanelSection title="Terminal">
        <TextField label="Font" value={settings.terminalFont ?? ''} placeholder="The system’s monospace" onChange={(terminalFont) => change({ terminalFont })} />
        <NumberField label="Font size" unit="px" value={settings.terminalFontSize ?? defaultFontSize} min={8} max={32} onChange={(terminalFontSize) => change({ terminalFontSize })} />
        <CheckField label="Copy text as soon as it is selected" isOn={settings.copyOnSelect ?? false} onChange={(copyOnSelect) => change({ copyOnSelect })} />
        <CheckField
          label="Tell screen readers what the terminal prints"
          isOn={settings.screenReader ?? false}
          onChange={(screenReader) => change({ screenReader })}
        />
      </PanelSection>
      <PanelSection title="Start">
        <CheckField label="Start without showing the window" isOn={settings.startHidden ?? false} onChange={(startHidden) => change({ startHidden })} />
        <CheckField label="Show an icon in the tray" isOn={settings.tray ?? true} onChange={(tray) => change({ tray })} />
      </PanelSection>
    </Panel>
  )
}
