import { ChevronDown, Download, Ellipsis, FilePlus, Folder, FolderOpen, House, Plus, RotateCw } from 'lucide-react'
import { Fragment } from 'react'
import { crumbsOf } from '../../../shared/domain/guest-entry.ts'
import { plain } from '../../../shared/domain/plain-text.ts'
import type { Sandbox } from '../../../shared/domain/sandbox.ts'
import { nameOf } from '../../../shared/domain/sandbox-tabs.ts'
import { launchNameOf } from '../../../shared/domain/try-folder.ts'
import { useActions } from '../../store/context.tsx'
import type { FilesAt } from '../../store/transfers-slice.ts'
import { IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu, type MenuItem } from '../../ui/menu.tsx'

/** Steps of the way that fit beside the tools. */
const mostCrumbs = 2

interface FilesBarProps {
  sandbox: Sandbox
  at: FilesAt
  isLooking: boolean
  showsHidden: boolean
  onShowHidden: (shows: boolean) => void
  onReload: () => void
}

/** The way to the folder that is shown, and what can be done with it. */
export function FilesBar({ sandbox, at, isLooking, showsHidden, onShowHidden, onReload }: FilesBarProps) {
  const { id, project } = sandbox
  const { root, path, file } = at
  const actions = useActions()
  const go = (to: string, newRoot = root) => actions.showFiles(id, { root: newRoot, path: to, file: null })
  const projectName = nameOf(project, id)
  const { skipped, crumbs } = crumbsOf(file ?? path, mostCrumbs)
  const place = { id, root, path }
  const addItems: MenuItem[] = [
    { text: 'Add files…', icon: FilePlus, onSelect: () => void actions.pickAndCopyIn(place, 'files') },
    { text: 'Add folders…', icon: Folder, onSelect: () => void actions.pickAndCopyIn(place, 'folder') },
  ]
  const moreItems: MenuItem[] = [
    { text: showsHidden ? 'Hide hidden files' : 'Show hidden files', onSelect: () => onShowHidden(!showsHidden) },
    { text: 'Save this folder…', icon: Download, onSelect: () => void actions.download(place, { isFolder: true, sizeBytes: null }) },
    null,
    // The one folder of this machine that the window may name.
    { text: 'Show project in file manager', icon: FolderOpen, isDisabled: project === null || launchNameOf(project) !== project, onSelect: () => project && void actions.revealProject(project) },
  ]
  return (
    <div className="files-bar">
      <nav className="crumbs grow" aria-label="Way to this folder">
        <Menu
          align="start"
          items={[
            { text: projectName, icon: Folder, isDisabled: project === null, onSelect: () => go('.', 'project') },
            { text: 'Home', icon: House, onSelect: () => go('.', 'home') },
          ]}
        >
          <button type="button" className="crumb root" title={root === 'project' ? 'The project, /home/ai/sandbox' : 'The home, /home/ai'}>
            <Icon of={root === 'project' ? Folder : House} className="quiet" />
            <span className="ellipsis">{root === 'project' ? projectName : 'Home'}</span>
            <Icon of={ChevronDown} className="quiet" />
          </button>
        </Menu>
        {skipped !== null && <Step name="…" label={`Go to ${plain(skipped)}`} onClick={() => go(skipped)} />}
        {crumbs.map((crumb, step) => (
          <Step key={crumb.path} name={plain(crumb.name)} isLast={step === crumbs.length - 1} onClick={() => go(crumb.path)} />
        ))}
      </nav>
      <Menu items={addItems}>
        <button type="button" className="icon-button" aria-label="Copy files into this folder" title="Copy files into this folder">
          <Icon of={Plus} />
        </button>
      </Menu>
      <IconButton icon={RotateCw} label="Look again" disabled={isLooking || file !== null} onClick={onReload} />
      <Menu items={moreItems}>
        <button type="button" className="icon-button" aria-label="More for this folder">
          <Icon of={Ellipsis} />
        </button>
      </Menu>
    </div>
  )
}

function Step({ name, label, isLast = false, onClick }: { name: string; label?: string; isLast?: boolean; onClick: () => void }) {
  return (
    <Fragment>
      <span className="quiet crumb-rule" aria-hidden>
        /
      </span>
      {isLast ? (
        <span className="crumb here ellipsis" aria-current="page" title={name}>
          {name}
        </span>
      ) : (
        <button type="button" className="crumb ellipsis" aria-label={label} title={label ?? name} onClick={onClick}>
          {name}
        </button>
      )}
    </Fragment>
  )
}
