import { activePane, placeOf, shownTab } from '../../../shared/domain/shell-layout.ts'
import { closeQuestion, shellEndInWords, shellName } from '../../../shared/domain/shell-words.ts'
import { useActions, useApp, useAppStore } from '../../store/context.tsx'
import type { Shell, ShellGroup } from '../../store/shells-slice.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { screenInSight } from './screens.ts'
import { ShellNote } from './shell-note.tsx'
import { TerminalPane } from './terminal-pane.tsx'
import { TerminalView } from './terminal-view.tsx'

/** Closes a shell and gives the keys to the terminal that is left. */
export function useCloseShell(id: string): (pane: string, isAgreed?: boolean) => void {
  const store = useAppStore()
  return (pane, isAgreed) =>
    void store
      .getState()
      .closeShell(id, pane, isAgreed)
      .then(() => {
        if (!store.getState().shells[id]?.shells[pane]?.asks) screenInSight(store.getState(), id)?.focus()
      })
}

/** The further shells of a sandbox, each in its pane. */
export function ShellPanes({ id, group, isShown }: { id: string; group: ShellGroup; isShown: boolean }) {
  return Object.values(group.shells).map((shell) => <ShellPane key={shell.pane} id={id} shell={shell} group={group} isShown={isShown} />)
}

function ShellPane({ id, shell, group: { layout }, isShown }: { id: string; shell: Shell; group: ShellGroup; isShown: boolean }) {
  const { pane, terminalId, number } = shell
  const { noteShellExit } = useActions()
  const close = useCloseShell(id)
  const name = shellName(number)
  return (
    <TerminalPane id={id} pane={pane} name={name} onClose={() => close(pane)}>
      {terminalId === null ? (
        <ShellNote id={id} shell={shell} isActive={isShown && activePane(layout) === pane} onClose={() => close(pane)} />
      ) : (
        <>
          <ShellBar id={id} shell={shell} onClose={(isAgreed) => close(pane, isAgreed)} />
          <TerminalView
            id={id}
            pane={pane}
            terminalId={terminalId}
            label={name}
            isShown={isShown && placeOf(shownTab(layout), pane) !== undefined}
            isActive={activePane(layout) === pane}
            onExit={(exitCode) => noteShellExit(id, pane, exitCode)}
          />
        </>
      )}
    </TerminalPane>
  )
}

/** How a shell ended that stays to be read, or whether one is to end in which something runs. */
function ShellBar({ id, shell: { pane, exitCode, asks }, onClose }: { id: string; shell: Shell; onClose: (isAgreed: boolean) => void }) {
  const isRunning = useApp(({ sandboxes }) => sandboxes?.some((one) => one.id === id && one.state === 'running') ?? false)
  const store = useAppStore()
  const { keepShell, renewShell } = useActions()
  if (exitCode !== undefined)
    return (
      <div className="bar shell-bar" role="status">
        <StateGlyph kind={exitCode === null ? 'warning' : 'broken'} />
        <span className="grow">{shellEndInWords(exitCode, isRunning)}</span>
        {isRunning && <Button onClick={() => void renewShell(id, pane)}>New shell</Button>}
        <Button look="quiet" onClick={() => onClose(false)}>Close</Button>
      </div>
    )
  if (asks === null) return null
  return (
    <div className="bar shell-bar warn-bar">
      <Confirm
        question={closeQuestion(asks)}
        yes="Close"
        no="Keep it"
        onYes={() => onClose(true)}
        onNo={() => {
          keepShell(id, pane)
          screenInSight(store.getState(), id)?.focus()
        }}
      />
    </div>
  )
}
