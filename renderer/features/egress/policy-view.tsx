import { X } from 'lucide-react'
import { egressLists } from '../../../shared/domain/egress-lists.ts'
import type { Policy, PolicyRule, RuleSource } from '../../../shared/domain/egress-policy.ts'
import { plain } from '../../../shared/domain/plain-text.ts'
import { IconButton } from '../../ui/button.tsx'
import { PanelSection } from '../panels/panel.tsx'
import { AllowForm } from './allow-form.tsx'
import type { AllowFor } from './use-policy.ts'

interface PolicyViewProps {
  profile: string
  policy: Policy
  onAllow: (rule: string, scope: AllowFor) => Promise<boolean>
  onForget: (rule: string) => Promise<void>
}

/** What lets requests through, where each rule comes from, and what no rule changes. */
export function PolicyView({ profile, policy: { mode, rules, refused, mistakes, floor }, onAllow, onForget }: PolicyViewProps) {
  const own = rules.filter(({ source }) => isOwn(source))
  const fromLabel = rules.filter(({ source }) => source.kind === 'label')
  const ofLists = rules.filter(isOfList)
  const lists = [...new Set(ofLists.map(({ source }) => source.list))]
  return (
    <>
      {mode === 'allowlist' && (
        <PanelSection title="Yours">
          <AllowForm profile={profile} onAllow={onAllow} />
          <ul className="egress-rules">
            {own.map(({ rule, source }) => (
              <Rule key={`${rule} ${source.kind}`} rule={rule} note={noteOf(source, profile)} onForget={() => void onForget(rule)} />
            ))}
            {refused.map((host) => (
              <Rule key={`no ${host}`} rule={host} note="refused, not asked about" onForget={() => void onForget(host)} />
            ))}
          </ul>
        </PanelSection>
      )}
      {mode === 'allowlist' && (
        <PanelSection title={`Profile ${profile}`}>
          {fromLabel.length + lists.length + mistakes.length === 0 && <p className="quiet">It names no host.</p>}
          <ul className="egress-rules">
            {fromLabel.map(({ rule }) => (
              <Rule key={rule} rule={rule} note="" />
            ))}
            {mistakes.map(({ word, why }) => (
              <Rule key={word} rule={word} note={`opens nothing: ${why}`} isMistake />
            ))}
          </ul>
          <div>
            {lists.map((list) => (
              <details key={list} className="egress-list">
                <summary>
                  {list} <span className="quiet">{egressLists.find(({ name }) => name === list)?.description}</span>
                </summary>
                <ul className="egress-rules">
                  {ofLists.filter(({ source }) => source.list === list).map(({ rule }) => (
                    <Rule key={rule} rule={rule} note="" />
                  ))}
                </ul>
              </details>
            ))}
          </div>
        </PanelSection>
      )}
      {floor.length > 0 && (
        <PanelSection title="What no rule changes">
          <ul className="egress-floor quiet">
            {floor.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </PanelSection>
      )}
    </>
  )
}

function Rule({ rule, note, isMistake = false, onForget }: { rule: string; note: string; isMistake?: boolean; onForget?: () => void }) {
  return (
    <li className="egress-row">
      <span className="mono grow ellipsis selectable" title={plain(rule)}>
        {plain(rule)}
      </span>
      <span className={`ellipsis ${isMistake ? 'warn' : 'quiet'}`} title={note}>
        {note}
      </span>
      {onForget && <IconButton icon={X} label={`Take back ${plain(rule)}`} onClick={onForget} />}
    </li>
  )
}

const isOwn = ({ kind }: RuleSource) => kind === 'sandbox' || kind === 'profile' || kind === 'once'
const isOfList = (rule: PolicyRule): rule is PolicyRule & { source: { kind: 'list'; list: string } } => rule.source.kind === 'list'

function noteOf(source: RuleSource, profile: string): string {
  if (source.kind === 'profile') return `every sandbox of ${profile}`
  return source.kind === 'once' ? `until ${new Date(source.until).toTimeString().slice(0, 5)}` : 'this sandbox'
}
