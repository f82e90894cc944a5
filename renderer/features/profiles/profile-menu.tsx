import { CopyPlus, Ellipsis, FileInput, FolderInput, FolderOutput, Pencil, Trash2 } from 'lucide-react'
import type { ProfileStatus } from '../../../shared/domain/profile.ts'
import { useActions } from '../../store/context.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'

/** What can be done with a profile besides building it. What comes with Paddock is neither renamed nor deleted. */
export function ProfileMenu({ profile: { name, source } }: { profile: ProfileStatus }) {
  const { startTask, exportProfile, importProfile } = useActions()
  const isOwn = source === 'user'
  const own = (item: MenuItem): MenuItem[] => (isOwn ? [item] : [])
  return (
    <Menu
      items={[
        { text: 'Duplicate…', icon: CopyPlus, onSelect: () => startTask({ kind: 'duplicate', name }) },
        ...own({ text: 'Rename…', icon: Pencil, onSelect: () => startTask({ kind: 'rename', name }) }),
        { text: 'Export as a folder…', icon: FolderOutput, onSelect: () => void exportProfile(name) },
        null,
        { text: 'Import a file…', icon: FileInput, onSelect: () => void importProfile('file') },
        { text: 'Import a folder…', icon: FolderInput, onSelect: () => void importProfile('folder') },
        ...(isOwn ? [null] : []),
        ...own({ text: 'Delete…', icon: Trash2, onSelect: () => startTask({ kind: 'delete', name }) }),
      ]}
    >
      <button type="button" className="icon-button" aria-label={`More for ${name}`}>
        <Icon of={Ellipsis} />
      </button>
    </Menu>
  )
}
