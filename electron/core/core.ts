import { type CallContext, type Handlers } from '../../shared/contract/contract.ts'
import type { ProfileStatus } from '../../shared/domain/profile.ts'
import type { Settings } from '../../shared/domain/settings.ts'
import { toErrorReport } from '../../shared/errors/paddock-error.ts'
import { examine } from './doctor/examine.ts'
import { podmanInfo } from './engine/info.ts'
import { findPodman } from './engine/podman-path.ts'
import { createPodman, type Podman } from './engine/podman.ts'
import { createImageFacts } from './images/image-facts.ts'
import { assess, type Workshop } from './images/assess.ts'
import { refresh } from './images/refresh.ts'
import { findProfile, findProfiles, type ProfileFolders } from './profiles/find-profiles.ts'
import { profileStatus } from './images/profile-status.ts'
import { findSandboxes } from './sandboxes/find-sandbox.ts'
import { listSandboxes } from './sandboxes/list-sandboxes.ts'
import { prepareLaunch } from './sandboxes/prepare-launch.ts'
import { probeMicrovm } from './sandboxes/probe-microvm.ts'
import { findPrunable, prune } from './sandboxes/prune.ts'
import { removeSandbox, stopSandbox } from './sandboxes/stop-sandbox.ts'
import { findPaths, type Paths } from './store/paths.ts'
import { loadSettings, saveSettings } from './store/settings.ts'

/** The core as a surface gets it: the contract's calls, and what is needed to run a launch in a terminal. */
export interface Core {
  handlers: Handlers
  podman: Podman
  paths: Paths
}

export interface CoreOptions {
  bundledProfiles: string
  environment?: NodeJS.ProcessEnv
}

/** Builds the core for this account. Reads nothing and starts nothing until a call asks for it. */
export function createCore({ bundledProfiles, environment = process.env }: CoreOptions): Core {
  const paths = findPaths(environment)
  const podman = createPodman(findPodman(paths.toolchainPodman, environment))
  const folders: ProfileFolders = { bundled: bundledProfiles, user: paths.userProfilesFolder, readings: paths.readingsFolder }
  const imageFacts = createImageFacts(podman, paths.imageFactsFile)

  const settingsFor = async ({ onProgress }: CallContext): Promise<Settings> => {
    const { settings, warnings } = await loadSettings(paths.settingsFile, environment)
    for (const text of warnings) onProgress({ kind: 'warning', text })
    return settings
  }
  const workshopFor = (baseImage: string | undefined): Workshop => ({ podman, folders, baseImage, imageFacts, lockFolder: paths.state })
  const sandboxesNamed = async (ids: readonly string[]) => findSandboxes(await listSandboxes(podman, paths.launchesFolder), ids)

  const handlers: Handlers = {
    async 'doctor.check'(_input, context) {
      const settings = await settingsFor(context)
      const [answer, microvm] = await Promise.all([
        podmanInfo(podman).then((info) => ({ info, infoError: null }), (error) => ({ info: null, infoError: toErrorReport(error).message })),
        probeMicrovm(podman),
      ])
      return examine({ podman, ...answer, microvm, settings, paths, environment })
    },

    'settings.set': (change) => saveSettings(paths.settingsFile, change),

    async 'profile.list'(_input, context): Promise<ProfileStatus[]> {
      const { baseImage } = await settingsFor(context)
      const profiles = await findProfiles(folders)
      return Promise.all(profiles.map((profile) => profileStatus(workshopFor(baseImage), profile)))
    },

    async 'profile.build'(input, context) {
      const { baseImage } = await settingsFor(context)
      const profile = await findProfile(folders, input.profile)
      const workshop = workshopFor(input.baseImage ?? baseImage)
      const { built } = await refresh(workshop, await assess(workshop, profile), input.force, context)
      return { profile: profile.name, image: profile.image, built }
    },

    async 'sandbox.prepare'(input, context) {
      const settings = await settingsFor(context)
      const workshop = workshopFor(input.baseImage ?? settings.baseImage)
      return prepareLaunch({ workshop, paths, settings, probeMicrovm: () => probeMicrovm(podman) }, input, context)
    },

    'sandbox.list': () => listSandboxes(podman, paths.launchesFolder),

    async 'sandbox.stop'({ ids }) {
      const sandboxes = await sandboxesNamed(ids)
      await Promise.all(sandboxes.map((sandbox) => stopSandbox(podman, sandbox)))
      return sandboxes.map(({ id }) => id)
    },

    async 'sandbox.remove'({ ids, force }) {
      const sandboxes = await sandboxesNamed(ids)
      await Promise.all(sandboxes.map((sandbox) => removeSandbox(podman, sandbox, force)))
      return sandboxes.map(({ id }) => id)
    },

    'sandbox.prunable': () => findPrunable(podman, paths.launchesFolder),
    'sandbox.prune': ({ items }) => prune(podman, items),
  }
  return { handlers, podman, paths }
}
