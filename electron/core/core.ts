import { type CallContext, type Handlers } from '../../shared/contract/contract.ts'
import type { ProfileStatus } from '../../shared/domain/profile.ts'
import type { MicrovmFacts } from '../../shared/domain/microvm.ts'
import type { Settings } from '../../shared/domain/settings.ts'
import { findPodman } from './engine/podman-path.ts'
import { createPodman, type Podman } from './engine/podman.ts'
import { createImageFacts } from './images/image-facts.ts'
import { assess, type Workshop } from './images/assess.ts'
import { refresh } from './images/refresh.ts'
import { findProfile, findProfiles, type ProfileFolders } from './profiles/find-profiles.ts'
import { profileStatus } from './images/profile-status.ts'
import { prepareLaunch } from './sandboxes/prepare-launch.ts'
import { findPaths, type Paths } from './store/paths.ts'
import { loadSettings, saveSettings } from './store/settings.ts'

/** The core as a surface gets it: the contract's calls, and what is needed to run a launch in a terminal. */
export interface Core {
  handlers: Handlers
  podman: Podman
  paths: Paths
  settings: () => Promise<Settings>
  probeMicrovm: () => Promise<MicrovmFacts>
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
  // Loaded when first needed: a launch asks nothing of the other sandboxes and should start at once.
  const running = async () => (await import('./sandboxes/running-sandboxes.ts')).runningSandboxes(podman, paths.launchesFolder)

  const probe = async () => (await import('./sandboxes/probe-microvm.ts')).probeMicrovm(podman)

  const handlers: Handlers = {
    async 'doctor.check'(_input, context) {
      const settings = await settingsFor(context)
      const { examine } = await import('./doctor/examine.ts')
      return examine({ podman, settings, paths, environment })
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
      return prepareLaunch({ workshop, paths, settings, probeMicrovm: probe }, input, context)
    },

    'sandbox.list': async () => (await running()).list(),
    'sandbox.stop': async ({ ids }) => (await running()).stop(ids),
    'sandbox.remove': async ({ ids, force }) => (await running()).remove(ids, force),
    'sandbox.prunable': async () => (await running()).prunable(),
    'sandbox.prune': async ({ items }) => (await running()).prune(items),
  }
  return { handlers, podman, paths, settings: async () => (await loadSettings(paths.settingsFile, environment)).settings, probeMicrovm: probe }
}
