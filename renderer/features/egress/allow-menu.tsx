import { ChevronDown } from 'lucide-react'
import type { EgressAnswer } from '../../../shared/domain/egress-prompt.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'

interface AllowMenuProps {
  /** The host, fit to be drawn. */
  name: string
  profile: string
  onAnswer: (answer: Exclude<EgressAnswer, 'no'>) => void
}

/** For how long, or for whom, a host is let through. */
export function AllowMenu({ name, profile, onAnswer }: AllowMenuProps) {
  return (
    <Menu
      items={[
        { text: 'Once, for five minutes', onSelect: () => onAnswer('once') },
        { text: 'For this sandbox', onSelect: () => onAnswer('sandbox') },
        { text: `Always, for every sandbox of ${profile}`, onSelect: () => onAnswer('profile') },
      ]}
    >
      <button type="button" className="button plain egress-allow" aria-label={`Allow ${name}`}>
        Allow <Icon of={ChevronDown} />
      </button>
    </Menu>
  )
}
