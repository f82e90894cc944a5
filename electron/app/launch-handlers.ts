import type { CallContext, LaunchPlan } from '../../shared/contract/contract.ts'
import type { Terminal, TerminalSize, WindowEvent } from '../../shared/contract/window-contract.ts'
import type { BuildEnd } from '../../shared/domain/notices.ts'
import { tryName } from '../../shared/domain/try-folder.ts'
import type { Core } from '../core/core.ts'
import type { Projects } from '../core/projects/projects.ts'
import type { TryFolders } from '../core/sandboxes/try-folders.ts'
import type { Terminals } from '../core/terminals/terminals.ts'
import type { WindowHandlers } from './window-handlers.ts'

/** What launching from the window works with. */
export interface LaunchServices {
  core: Core
  projects: Projects
  terminals: Terminals
  tries: TryFolders
  tell: (event: WindowEvent) => void
  /** A build came to its end; not called for one that was cancelled. */
  onBuilt: (build: BuildEnd) => void
}

/** One launch: what its project is called, how it is prepared, and what follows its start. */
interface Launching {
  project: string
  profile: string
  size: TerminalSize | undefined
  prepare: (context: CallContext) => Promise<LaunchPlan>
  after?: (plan: LaunchPlan) => Promise<void>
}

/** The calls that start a sandbox in a terminal of the window. */
export function createLaunchHandlers({ core, projects, terminals, tries, tell, onBuilt }: LaunchServices): Pick<WindowHandlers, 'sandbox.launch' | 'profile.try'> {
  const launch = async ({ project, profile, size, prepare, after }: Launching, context: CallContext): Promise<Terminal> => {
    let isBuilding = false
    const onProgress: typeof context.onProgress = (progress) => {
      isBuilding ||= progress.kind === 'log'
      context.onProgress(progress)
    }
    const tellBuilt = (hasWorked: boolean) => isBuilding && !context.signal.aborted && onBuilt({ project, profile, hasWorked })
    const plan = await prepare({ ...context, onProgress }).catch((error: unknown) => {
      tellBuilt(false)
      throw error
    })
    tellBuilt(true)
    // Its weaknesses stand in the sandbox's status line for as long as it runs.
    for (const text of plan.notes) context.onProgress({ kind: 'warning', text })
    const terminal = await terminals.launch(plan, { size, signal: context.signal, onOpened: (opened) => tell({ type: 'starting', project, profile, ...opened }) })
    // It would make the start slower.
    await after?.(plan)
    return terminal
  }

  return {
    'sandbox.launch': ({ project, profile, isolation, acceptFindings, size }, context) =>
      launch({
        project,
        profile,
        size,
        prepare: (inner) => core.handlers['sandbox.prepare']({ profile, project, cwd: '/', isolation, tty: true, command: [], acceptFindings }, inner),
        // A list that cannot be written is no reason to refuse a sandbox.
        after: (plan) =>
          projects.open(plan.project, plan.profile).catch((error: Error) => context.onProgress({ kind: 'warning', text: `The project was not noted in the list: ${error.message}` })),
      }, context),

    async 'profile.try'({ profile, isolation, acceptFindings, size }, context) {
      const folder = await tries.create(profile)
      try {
        const prepare = (inner: CallContext) => core.prepareTry({ profile, project: folder, cwd: '/', isolation, tty: true, command: [], acceptFindings }, inner)
        return await launch({ project: tryName(profile), profile, size, prepare }, context)
      } finally {
        tries.release(folder)
        // What did not start leaves nothing.
        void tries.tidy()
      }
    },
  }
}
