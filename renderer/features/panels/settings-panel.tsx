import { isolationNote } from '../../../shared/domain/launch-choice.ts'
import { useActions, useApp } from '../../store/context.tsx'

/** Each change is saved as it is made. */
export function SettingsPanel() {
  const settings = useApp((state) => state.settings)
  const obstacle = useApp((state) => state.obstacle)
  const note = isolationNote(settings, obstacle)
  const actions = useActions()
  return (
    <div className="form">
      <div>
        <label className="field">
          <span>Isolation</span>
          <select className="input" value={settings.isolation ?? 'microvm'} onChange={({ target }) => void actions.changeSettings({ isolation: target.value as 'microvm' | 'container' })}>
          <option value="microvm">microVM</option>
          <option value="container">Container (shares the kernel)</option>
        </select>
      </label>
        {note && (
          <p className="field quiet">
            <span />
            <span>{note}</span>
          </p>
        )}
      </div>
      <label className="field">
        <span>Theme</span>
        <select className="input" value={settings.theme ?? 'system'} onChange={({ target }) => void actions.changeSettings({ theme: target.value as 'system' | 'light' | 'dark' })}>
          <option value="system">As the system</option>
          <option value="light">Light</option>
          <option value="dark">Dark</option>
        </select>
      </label>
      <label className="field">
        <span>Base image</span>
        <input
          className="input mono"
          defaultValue={settings.baseImage ?? ''}
          placeholder="Debian, chosen by Paddock"
          onBlur={({ target }) => target.value && target.value !== settings.baseImage && void actions.changeSettings({ baseImage: target.value })}
        />
      </label>
      <label className="field">
        <span>Terminal font</span>
        <input className="input" defaultValue={settings.terminalFont ?? ''} placeholder="The system’s monospace" onBlur={({ target }) => target.value && target.value !== settings.terminalFont && void actions.changeSettings({ terminalFont: target.value })} />
      </label>
      <label className="field">
        <span>Terminal size</span>
        <input
          className="input"
          type="number"
          min={8}
          max={32}
          value={settings.terminalFontSize ?? 13}
          onChange={({ target }) => target.validity.valid && void actions.changeSettings({ terminalFontSize: target.valueAsNumber })}
        />
      </label>
      <Switch label="Copy on select" value={settings.copyOnSelect ?? false} onChange={(copyOnSelect) => void actions.changeSettings({ copyOnSelect })} />
      <Switch label="Screen reader mode" value={settings.screenReader ?? false} onChange={(screenReader) => void actions.changeSettings({ screenReader })} />
      <Switch label="Start hidden" value={settings.startHidden ?? false} onChange={(startHidden) => void actions.changeSettings({ startHidden })} />
      <Switch label="Tray icon" value={settings.tray ?? true} onChange={(tray) => void actions.changeSettings({ tray })} />
    </div>
  )
}

function Switch({ label, value, onChange }: { label: string; value: boolean; onChange: (value: boolean) => void }) {
  return (
    <label className="field">
      <span>{label}</span>
      <span>
        <input type="checkbox" checked={value} onChange={({ target }) => onChange(target.checked)} />
      </span>
    </label>
  )
}
