import { Info, OctagonAlert, TriangleAlert } from 'lucide-react'
import type { ProfileStatus } from '../../shared/domain/profile.ts'
import { speakingIcon } from './icon.ts'

const marks = {
  high: { Mark: OctagonAlert, colour: 'bad-text' },
  medium: { Mark: TriangleAlert, colour: 'amber' },
  low: { Mark: Info, colour: 'quiet' },
} as const
const order = Object.keys(marks)

/** What a run label asks for that a person should know, the worst first. */
export function FindingList({ findings }: { findings: ProfileStatus['findings'] }) {
  const sorted = [...findings].sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level))
  return (
    <ul className="marked" aria-label="Findings">
      {sorted.map(({ level, rule, message }, index) => {
        const { Mark, colour } = marks[level]
        return (
          <li key={`${index} ${rule}`}>
            <Mark {...speakingIcon} className={colour} aria-label={level} />
            <span>{message}</span>
          </li>
        )
      })}
    </ul>
  )
}
