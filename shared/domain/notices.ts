/** What a desktop notification says. */
export interface Notice {
  title: string
  body: string
}

/** What is known of a sandbox's end when it has to be decided whether to tell of it. */
export interface End {
  /** As people call it: its project's folder, else its short id. */
  name: string
  exitCode: number
  /** The person asked for the end, so they know of it. */
  wasAsked: boolean
  /** The kernel ended something in it because the memory was used up. */
  wasOutOfMemory: boolean
  /** Why Paddock itself ended it; null when it did not. */
  failure: string | null
}

/** What to tell of a sandbox's end; null when there is nothing that the person does not know or expect. Pure. */
export function noticeOfEnd({ name, exitCode, wasAsked, wasOutOfMemory, failure }: End): Notice | null {
  if (failure !== null) return { title: 'Sandbox stopped', body: failure }
  if (wasAsked || exitCode === 0) return null
  if (wasOutOfMemory) return { title: 'Out of memory', body: `${name} ended with exit code ${exitCode} after it ran out of memory.` }
  return { title: 'Sandbox ended', body: `${name} ended with exit code ${exitCode}.` }
}

/** What to tell of a sandbox that goes on without the program that the kernel ended in it. Pure. */
export function noticeOfWant(name: string): Notice {
  return { title: 'Out of memory', body: `${name} ran out of memory; something in it was ended.` }
}

/** A build that came to its end by itself. */
export interface BuildEnd {
  profile: string
  /** What the build was for; null when for the profile's own sake. */
  project: string | null
  hasWorked: boolean
}

/** Pure. @param name of the project, when there is one */
export function noticeOfBuild({ profile, hasWorked }: BuildEnd, name: string | null): Notice {
  return { title: hasWorked ? 'Image built' : 'Build failed', body: name === null ? profile : `${profile}, for ${name}` }
}
