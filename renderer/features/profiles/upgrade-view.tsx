import { defaultMinAgeDays, type PinReport } from '../../../shared/domain/upgrade.ts'
import { copiedByUpgrade, heldBackInWords, pinInWords, upgradeInWords } from '../../../shared/domain/upgrade-words.ts'
import type { Upgrade } from '../../store/upgrades-slice.ts'
import { useActions, useApp } from '../../store/context.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { PathText } from '../../ui/path-text.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import './profiles.css'

/** A look for newer versions of what a profile pins, in the place of its facts. */
export function UpgradeView({ name, upgrade }: { name: string; upgrade: Upgrade }) {
  const { status, report, step, error } = upgrade
  const isBusy = status === 'checking' || status === 'writing' || status === 'cancelling'
  return (
    <section className="upgrade" aria-label="Newer versions">
      {isBusy && (
        <p className="upgrade-step" role="status">
          <StateGlyph kind="working" />
          <span className="ellipsis">{step ?? (status === 'writing' ? 'Writing the pins' : 'Asking your npm registry')}</span>
        </p>
      )}
      {status === 'cancelled' && <p role="status">Cancelled. Nothing was changed.</p>}
      {error && <ErrorNotice what={report ? 'The pins were not written, or not all of them.' : 'The versions are not known.'} error={error} />}
      {!isBusy && report && status !== 'cancelled' && !error && <Summary report={report} />}
      <UpgradeActions name={name} upgrade={upgrade} isBusy={isBusy} />
      {report && <Pins pins={report.pins} owner={name} />}
      {report && <p className="quiet">{heldBackInWords(report, defaultMinAgeDays)}</p>}
    </section>
  )
}

function Summary({ report }: { report: NonNullable<Upgrade['report']> }) {
  const bundled = useApp(({ profiles }) => (profiles ?? []).filter(({ source }) => source === 'bundled').map(({ name }) => name).join())
  const copied = report.written.length > 0 ? [] : copiedByUpgrade(report, (profile) => bundled.split(',').includes(profile))
  const hasFailed = report.pins.some(({ state }) => state === 'failed')
  return (
    <div className="upgrade-summary selectable" role={hasFailed ? 'alert' : 'status'}>
      <p className="strong">{upgradeInWords(report)}</p>
      {copied.length > 0 && !hasFailed && <p className="quiet">{`${copied.join(' and ')} ${copied.length === 1 ? 'comes' : 'come'} with Paddock: a copy of your own is made, which counts from then on.`}</p>}
      {report.written.map((file) => (
        <p key={file} className="mono quiet">
          <PathText path={file} />
        </p>
      ))}
    </div>
  )
}

function UpgradeActions({ name, upgrade: { status, report }, isBusy }: { name: string; upgrade: Upgrade; isBusy: boolean }) {
  const { checkUpgrade, applyUpgrade, cancelUpgrade, dismissUpgrade } = useActions()
  const newer = report?.pins.filter(({ state }) => state === 'newer').length ?? 0
  const canApply = status === 'checked' && newer > 0 && !report?.pins.some(({ state }) => state === 'failed')
  if (isBusy) {
    return (
      <div className="actions">
        <Button disabled={status === 'cancelling'} onClick={() => cancelUpgrade(name)}>
          {status === 'cancelling' ? 'Cancelling…' : 'Cancel'}
        </Button>
      </div>
    )
  }
  return (
    <div className="actions">
      {canApply && (
        <Button look="primary" onClick={() => void applyUpgrade(name)}>
          {newer === 1 ? 'Upgrade 1 pin' : `Upgrade ${newer} pins`}
        </Button>
      )}
      {!canApply && status !== 'written' && <Button onClick={() => void checkUpgrade(name)}>Check again</Button>}
      <Button onClick={() => dismissUpgrade(name)}>Back</Button>
    </div>
  )
}

const rank: Record<PinReport['state'], number> = { failed: 0, newer: 1, held: 2, current: 3 }

/** Every pinned package, by the profile that has the pin; what needs a look first. */
function Pins({ pins, owner }: { pins: readonly PinReport[]; owner: string }) {
  const profiles = [...new Set(pins.map(({ profile }) => profile))]
  return profiles.map((profile) => (
    <section key={profile} className="pin-group" aria-label={`Pinned in ${profile}`}>
      {(profiles.length > 1 || profile !== owner) && <h3>In {profile}</h3>}
      <ul className="pins">
        {pins
          .filter((pin) => pin.profile === profile)
          .toSorted((a, b) => rank[a.state] - rank[b.state])
          .map((pin) => (
            <Pin key={pin.npm} pin={pin} />
          ))}
      </ul>
    </section>
  ))
}

function Pin({ pin }: { pin: PinReport }) {
  const { kind, word, name, notes } = pinInWords(pin)
  return (
    <li className="selectable">
      <StateGlyph kind={kind} />
      <span className="pin-name">
        <span className="ellipsis" title={pin.npm}>
          {name}
        </span>
        <span className="row-word">{word}</span>
      </span>
      <span className="pin-version">
        {pin.current}
        {pin.next && (
          <>
            <span className="quiet"> → </span>
            {pin.next.version}
          </>
        )}
      </span>
      {notes.length > 0 && <p className={`pin-note ${pin.state === 'failed' ? 'bad-text' : 'quiet'}`}>{notes.join('; ')}</p>}
    </li>
  )
}
