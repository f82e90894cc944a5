import type { CallContext, Handlers, Input, LaunchPlan } from '../../shared/contract/contract.ts'
import type { ProfileStatus } from '../../shared/domain/profile.ts'
import type { EgressPrompt } from '../../shared/domain/egress-prompt.ts'
import type { MicrovmFacts } from '../../shared/domain/microvm.ts'
import type { Settings } from '../../shared/domain/settings.ts'
import type { EgressHandlers, EgressServices } from './egress/egress-handlers.ts'
import type { GuestChannels } from './guest/guest-channels.ts'
import { nftMissing } from './egress/prepare-egress.ts'
import { proxyPlace } from './egress/proxy/proxy-place.ts'
import { findNft } from './egress/find-nft.ts'
import { findPodman } from './engine/podman-path.ts'
import { createPodman, type Podman } from './engine/podman.ts'
import { createImageFacts } from './images/image-facts.ts'
import { assess, type Workshop } from './images/assess.ts'
import { refresh } from './images/refresh.ts'
import { findProfile, findProfiles, type ProfileFolders } from './profiles/find-profiles.ts'
import { createProfileHandlers } from './profiles/profile-handlers.ts'
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
  /** `sandbox.prepare` on a folder of Paddock's own, which otherwise is no project. */
  prepareTry: (input: Input<'sandbox.prepare'> & { project: string }, context: CallContext) => Promise<LaunchPlan>
  /** Tells what a person may decide about sandboxes with an allowlist, at once and at each change, until the signal says stop. */
  followPrompts: (tell: (prompts: EgressPrompt[]) => void, signal: AbortSignal) => Promise<void>
  /** The connections into sandboxes, one each, shared by all of this process. */
  guests: () => Promise<GuestChannels>
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

  /** The default base may have been made from this host's archive instead of pulled, or be another of the person's choice. */
  const baseCandidates = async (image: string) => {
    const { baseImageCandidates, defaultBaseImage, hostArchive } = await import('./images/base-image.ts')
    if (image !== defaultBaseImage) return [image]
    const { settings } = await loadSettings(paths.settingsFile, environment)
    return baseImageCandidates(settings.baseImage, await hostArchive())
  }

  const probe = async () => (await import('./sandboxes/probe-microvm.ts')).probeMicrovm(podman)

  const nft = () => findNft([podman.path, paths.toolchainPodman])

  const prepare = async (input: Input<'sandbox.prepare'>, context: CallContext, throwaway?: string) => {
    const settings = await settingsFor(context)
    const workshop = workshopFor(input.baseImage ?? settings.baseImage)
    return prepareLaunch({ workshop, paths, settings, probeMicrovm: probe, findNft: nft, throwaway }, input, context)
  }

  let channels: GuestChannels | undefined
  const guests = async () => {
    const { createGuestChannels } = await import('./guest/guest-channels.ts')
    return (channels ??= createGuestChannels(podman, paths.launchesFolder))
  }

  const place = proxyPlace(paths.egressFolder)

  let egressHandlers: Promise<EgressHandlers> | undefined
  const egress = () => (egressHandlers ??= loadEgress())
  const loadEgress = async () => (await import('./egress/egress-handlers.ts')).createEgressHandlers(await egressServices())
  const egressServices = async (): Promise<EgressServices> => {
    const [{ createPolicyStore }, { ensureProxy }] = await Promise.all([import('./egress/proxy/policy-store.ts'), import('./egress/proxy/run-proxy.ts')])
    return {
      podman,
      place,
      store: createPolicyStore(paths.launchesFolder, paths.egressFile),
      list: async () => (await running()).list(),
      async ensure(context) {
        const found = nft()
        if (found === null) throw nftMissing()
        const { baseImage } = await settingsFor(context)
        await ensureProxy({ workshop: workshopFor(baseImage), place, nft: found, environment }, context)
      },
    }
  }

  const handlers: Handlers = {
    async 'doctor.check'(_input, context) {
      const settings = await settingsFor(context)
      const { examine } = await import('./doctor/examine.ts')
      return examine({ podman, settings, paths, environment })
    },

    'settings.set': (change, { onProgress }) => saveSettings(paths.settingsFile, change, (text) => onProgress({ kind: 'warning', text })),

    async 'profile.list'(_input, context): Promise<ProfileStatus[]> {
      const { baseImage } = await settingsFor(context)
      const profiles = await findProfiles(folders)
      return Promise.all(profiles.map((profile) => profileStatus(workshopFor(baseImage), profile)))
    },

    async 'profile.build'(input, context) {
      const { baseImage } = await settingsFor(context)
      const profile = await findProfile(folders, input.profile)
      const workshop = workshopFor(input.baseImage ?? baseImage)
      const { built } = await refresh(workshop, await assess(workshop, profile), { force: input.force, pull: input.pull ?? false }, context)
      return { profile: profile.name, image: profile.image, built }
    },

    ...createProfileHandlers({ folders, imageFacts, baseCandidates, environment }),

    'sandbox.prepare': (input, context) => prepare(input, context),

    'egress.requests': async (input, context) => (await egress())['egress.requests'](input, context),
    'egress.policy': async (input, context) => (await egress())['egress.policy'](input, context),
    'egress.allow': async (input, context) => (await egress())['egress.allow'](input, context),
    'egress.forget': async (input, context) => (await egress())['egress.forget'](input, context),
    'egress.prompts': async (input, context) => (await egress())['egress.prompts'](input, context),
    'egress.decide': async (input, context) => (await egress())['egress.decide'](input, context),

    'sandbox.list': async () => (await running()).list(),
    'sandbox.stop': async ({ ids }) => (await running()).stop(ids),
    'sandbox.remove': async ({ ids, force }) => (await running()).remove(ids, force),
    'sandbox.prunable': async () => (await running()).prunable(),
    'sandbox.prune': async ({ items }) => (await running()).prune(items),
  }
  const followPrompts: Core['followPrompts'] = async (tell, signal) => {
    const { followPrompts: follow } = await import('./egress/egress-handlers.ts')
    return follow(await egressServices(), tell, signal)
  }
  return { followPrompts, handlers, podman, paths, settings: async () => (await loadSettings(paths.settingsFile, environment)).settings, probeMicrovm: probe, prepareTry: (input, context) => prepare(input, context, input.project), guests }
}
