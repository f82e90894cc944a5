import { dirname, join } from 'node:path'
import type { Handlers } from '../../../shared/contract/contract.ts'
import type { profileContract } from '../../../shared/contract/profile-contract.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { ImageFacts } from '../engine/images.ts'
import { findProfile, type ProfileFolders } from './find-profiles.ts'

/** What the calls on profiles need to know. */
export interface ProfileServices {
  folders: ProfileFolders
  imageFacts: (references: readonly string[]) => Promise<Map<string, ImageFacts>>
  /** Images that may stand for one that a Containerfile names, the likeliest first. */
  baseCandidates: (image: string) => Promise<string[]>
  environment: NodeJS.ProcessEnv
}

const dependentNotes = (names: readonly string[], name: string) => names.map((dependent) => `Profile ${dependent} is built on ${name}, which is not there any more.`)

/** The calls that show, change and keep profiles. What each needs is loaded when it is asked for: a launch needs none. */
export function createProfileHandlers({ folders, imageFacts, baseCandidates, environment }: ProfileServices): ProfileHandlers {
  return withPlainRefusals(handlersOf({ folders, imageFacts, baseCandidates, environment }))
}

type ProfileHandlers = Pick<Handlers, keyof typeof profileContract>

/** Why the system refuses a file, in words; see errno(3). */
const refusals: Record<string, string> = { EACCES: 'you may not write or read there', EPERM: 'the system does not permit it', EROFS: 'the file system is read-only', ENOSPC: 'there is no space left' }

/** A folder that a person has closed, or a full disk, is no defect of Paddock's. */
export function withPlainRefusals(handlers: ProfileHandlers): ProfileHandlers {
  const wrapped = Object.entries(handlers).map(([name, handle]) => [
    name,
    (input: never, context: never) =>
      (handle as (...words: never[]) => Promise<unknown>)(input, context).catch((error: NodeJS.ErrnoException) => {
        const why = refusals[error.code ?? '']
        if (why === undefined || error instanceof PaddockError) throw error
        throw new PaddockError({ code: 'profile-refused', message: `${error.path === undefined ? 'A file' : dirname(error.path)} cannot be used: ${why} (${error.code}).`, hint: 'See to the rights of that folder, and the space on its disk.' }, { cause: error })
      }),
  ])
  return Object.fromEntries(wrapped) as ProfileHandlers
}

function handlersOf({ folders, imageFacts, baseCandidates, environment }: ProfileServices): ProfileHandlers {
  const editing = () => import('./editing/edit-profile.ts')
  const managing = () => import('./editing/manage-profiles.ts')
  return {
    'profile.open': async ({ name }) => (await editing()).openProfile(folders, name),
    'profile.save': async (input) => (await editing()).saveProfile(folders, input),

    async 'profile.customize'({ name }) {
      const profile = await findProfile(folders, name)
      const own = await (await editing()).ownProfile(folders, profile)
      return { file: join(own.folder, 'Containerfile'), isCopy: own !== profile }
    },

    async 'profile.lint'({ name, text }) {
      const profile = await findProfile(folders, name)
      const { lintWithFiles } = await import('./editing/lint-files.ts')
      const saved = text ?? (await (await editing()).openProfile(folders, profile.name)).text
      const { inheritedLabel } = await import('./editing/inherited-label.ts')
      const [findings, inherited] = await Promise.all([lintWithFiles(saved, profile.folder), inheritedLabel(folders, saved, profile.name)])
      return { file: join(profile.folder, 'Containerfile'), findings, inheritedLabel: inherited }
    },

    'profile.create': async ({ name, from }) => ({ name, file: await (await managing()).createProfile(folders, name, from), notes: [] }),
    'profile.duplicate': async ({ name, as }) => ({ name: as, file: await (await managing()).duplicateProfile(folders, name, as), notes: [] }),

    async 'profile.rename'({ name, to }) {
      const { file, dependents } = await (await managing()).renameProfile(folders, name, to)
      return { name: to, file, notes: dependentNotes(dependents, name) }
    },

    async 'profile.remove'({ name }) {
      const { dependents, trash } = await (await managing()).removeProfile(folders, name, environment)
      const stays = await findProfile(folders, name).then(({ source }) => source === 'bundled', () => false)
      return { trash, notes: stays ? [`The profile ${name} that comes with Paddock counts again.`] : dependentNotes(dependents, name) }
    },

    async 'profile.import'({ path, name, isNumbered = false }) {
      const { importProfile } = await import('./editing/import-profile.ts')
      return importProfile(folders, path, { name, isNumbered })
    },

    'profile.export': async ({ name, folder }) => ({ folder: await (await managing()).exportProfile(folders, name, folder) }),

    async 'profile.upgrade'({ name, minAgeDays, apply, shown }, { signal, onProgress }) {
      const profile = await findProfile(folders, name)
      const { upgradeProfile } = await import('./upgrade/upgrade-profile.ts')
      const report = await upgradeProfile(profile, {
        folders, minAgeDays, apply, shown, now: new Date(), imageFacts, baseCandidates, npm: { signal, env: environment },
        onJudged: ({ npm }, done, total) => onProgress({ kind: 'step', text: `Looked for ${npm} (${done} of ${total})` }),
      })
      if (signal.aborted && report.written.length === 0) throw new PaddockError({ code: 'cancelled', message: 'Cancelled; nothing was changed.' })
      return report
    },
  }
}
