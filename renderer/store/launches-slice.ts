import { chooseProfile } from '../../shared/domain/choose-profile.ts'
import { chooseLaunch } from '../../shared/domain/launch-choice.ts'
import type { Isolation } from '../../shared/domain/sandbox.ts'
import { triedProfile, tryName } from '../../shared/domain/try-folder.ts'
import type { Launched } from './sandboxes-slice.ts'
import type { MakeSlice } from './slice.ts'
import { addProgress, collectProgress, endWork, startWork, type Work } from './work.ts'

/** What the person agreed to. */
export interface LaunchConsent {
  isolation?: Isolation | undefined
  acceptFindings?: boolean | undefined
}

export interface Launch extends Work {
  project: string
  profile: string
  consent: LaunchConsent
}

export interface LaunchesSlice {
  /** Launches on their way or failed, by project folder. */
  launches: Readonly<Record<string, Launch>>
  /** Profiles picked but not launched yet, by project folder. */
  picked: Readonly<Record<string, string>>
  /** The project whose page asks something before it can launch. */
  asking: string | null
  pickProfile(folder: string, profile: string): void
  /** Which profile a press of launch would use. */
  profileFor(folder: string): string
  /** Launches, or shows the project's page with the question that comes first. */
  requestLaunch(folder: string, profile?: string): Promise<void>
  /** Launches a throwaway sandbox of a profile, on an empty folder; asks what a launch asks. */
  tryProfile(name: string): Promise<void>
  launch(folder: string, profile: string, consent: LaunchConsent): Promise<void>
  /** A launch on its way has got its sandbox: its terminal is shown with its first words, or when they are long in coming. */
  noteStarting(started: Omit<Launched, 'warnings'>): void
  retryLaunch(folder: string): Promise<void>
  cancelLaunch(folder: string): void
  dismissLaunch(folder: string): void
  stopAsking(): void
}

/** A launch that takes longer than this shows what it does, as does one that builds. */
const quickMs = 150
/** A sandbox that says nothing for so long has its terminal shown without a word in it. */
const silentMs = 150
/** One whose terminal is shown already has this long. */
const startsWithinMs = 2_000

/** A sandbox of a launch on its way. */
interface Starting {
  sandboxId: string
  isShown: boolean
  /** Makes its tab, and goes there if the person is still with the launch. */
  show(): void
  /** Shows it where nothing is said. */
  timer: ReturnType<typeof setTimeout>
  /** Closes its terminal's stream, where no screen has it. */
  letGo(): void
}

/** Failures that a question on the project's page can mend. */
const askedAbout: ReadonlySet<string> = new Set(['findings-not-accepted', 'isolation-unavailable'])

export const makeLaunchesSlice: MakeSlice<LaunchesSlice> = (api) => (set, get) => {
  const aborts = new Map<string, AbortController>()
  /** Sandboxes of launches on their way, by project folder. */
  const starting = new Map<string, Starting>()
  const update = (folder: string, change: (launch: Launch) => Launch) =>
    set(({ launches }) => (launches[folder] ? { launches: { ...launches, [folder]: change(launches[folder]) } } : {}))
  const forget = (folder: string) =>
    set(({ launches }) => {
      const { [folder]: _gone, ...others } = launches
      return { launches: others }
    })
  const isWatched = (folder: string) => {
    const { view } = get()
    return view.kind === 'project' && view.folder === folder
  }

  return {
    launches: {},
    picked: {},
    asking: null,
    pickProfile: (folder, profile) => set(({ picked }) => ({ picked: { ...picked, [folder]: profile }, asking: null })),
    profileFor(folder) {
      const { picked, projects, profiles } = get()
      const tried = triedProfile(folder)
      if (tried !== null) return tried
      const last = projects?.find((project) => project.folder === folder)?.lastProfile ?? null
      return picked[folder] ?? chooseProfile(last, profiles ?? [])
    },
    async requestLaunch(named, wanted) {
      // A throwaway sandbox is of one profile: with another one it is another.
      const folder = wanted !== undefined && triedProfile(named) !== null ? tryName(wanted) : named
      if (wanted !== undefined) get().pickProfile(folder, wanted)
      const profile = get().profileFor(folder)
      if (get().profiles === null) await get().loadProfiles()
      const { profiles, settings, obstacle } = get()
      const choice = chooseLaunch(profiles?.find(({ name }) => name === profile), settings, obstacle)
      if (choice.kind === 'launch') return get().launch(folder, profile, {})
      get().showProject(folder)
      if (choice.kind !== 'impossible') set({ asking: folder })
    },
    tryProfile: (name) => get().requestLaunch(tryName(name)),
    async launch(folder, profile, consent) {
      if (!isWatched(folder) || get().panel !== null) get().showProject(folder)
      set({ asking: null })
      if (aborts.has(folder)) return
      const abort = new AbortController()
      aborts.set(folder, abort)
      // Most launches are over before their page could be read, and to draw it would make them slower.
      let held: Launch | null = { ...startWork(Date.now()), project: folder, profile, consent }
      const show = () => {
        clearTimeout(timer)
        const launch = held
        held = null
        if (launch) set(({ launches }) => ({ launches: { ...launches, [folder]: launch } }))
      }
      let timer = setTimeout(() => {
        if (starting.has(folder)) timer = setTimeout(show, startsWithinMs)
        else show()
      }, quickMs)
      if (get().launches[folder]) show()
      const progress = collectProgress((news) => {
        if (news.some(({ kind }) => kind !== 'warning')) show()
        if (held) held = { ...held, ...addProgress(held, news) }
        else update(folder, (work) => ({ ...work, ...addProgress(work, news) }))
      })
      const wish = { profile, acceptFindings: consent.acceptFindings ?? false, isolation: consent.isolation, size: get().terminalSize ?? undefined }
      const options = { signal: abort.signal, onProgress: progress.add }
      const reply = await (triedProfile(folder) === null ? api.call('sandbox.launch', { project: folder, ...wish }, options) : api.call('profile.try', wish, options))
      progress.flush()
      aborts.delete(folder)
      const start = starting.get(folder)
      starting.delete(folder)
      clearTimeout(start?.timer)
      if (reply.ok) {
        clearTimeout(timer)
        const warnings = (held ?? get().launches[folder])?.warnings ?? []
        if (held === null) forget(folder)
        const wasWatched = isWatched(folder)
        get().noteLaunched({ ...reply.value, project: folder, profile, warnings, chosenIsolation: consent.isolation })
        if (wasWatched) await get().showSandbox(reply.value.sandboxId)
        get().announce(`${profile} is running.`)
        // What was just built is fresh, whether or not Podman tells of it.
        if (get().profiles?.find(({ name }) => name === profile)?.state !== 'fresh') void get().loadProfiles()
        return
      }
      show()
      start?.letGo()
      if (start?.isShown) get().closeTab(start.sandboxId)
      if (askedAbout.has(reply.error.code)) {
        // The host or the profile changed since the page was drawn.
        await Promise.all([get().loadIsolation(), get().loadProfiles()])
        const { profiles, settings, obstacle } = get()
        const { kind } = chooseLaunch(profiles?.find(({ name }) => name === profile), settings, obstacle)
        if (kind === 'ask-findings' || kind === 'ask-isolation') {
          forget(folder)
          return set({ asking: folder })
        }
      }
      update(folder, (work) => ({ ...work, ...endWork(work, Date.now(), reply.error) }))
      get().announce('The launch failed.')
    },
    noteStarting({ project: folder, ...started }) {
      if (!aborts.has(folder)) return
      const { sandboxId, terminalId } = started
      const start: Starting = {
        sandboxId,
        isShown: false,
        show() {
          clearTimeout(start.timer)
          // Words that come after the launch was answered find all shown, and the person perhaps elsewhere.
          if (start.isShown || starting.get(folder) !== start) return
          start.isShown = true
          const wasWatched = isWatched(folder)
          get().noteLaunched({ ...started, project: folder, warnings: [] })
          if (wasWatched) void get().showSandbox(sandboxId)
        },
        // Drawn now, an empty terminal would take the time from the sandbox that starts.
        timer: setTimeout(() => start.show(), silentMs),
        letGo: api.expectTerminal(terminalId, () => start.show()),
      }
      starting.set(folder, start)
    },
    async retryLaunch(folder) {
      const launch = get().launches[folder]
      if (launch) await get().launch(folder, launch.profile, launch.consent)
    },
    cancelLaunch(folder) {
      aborts.get(folder)?.abort()
      update(folder, (work) => ({ ...work, status: 'cancelling' }))
    },
    dismissLaunch: forget,
    stopAsking: () => set({ asking: null }),
  }
}
