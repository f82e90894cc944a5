const kib = 1024
const mib = 1024 * kib

/** What one call may ask of a workspace. They stand in the tools' schemas, so that an agent knows them beforehand. */
export const workspaceLimits = {
  pathCharacters: 1_000,
  listEntries: { default: 200, max: 1_000 },
  listDepth: { default: 1, max: 8 },
  readBytes: { default: 64 * kib, max: mib },
  writeBytes: mib,
  /** Less than 128 KiB in UTF-8, which is the longest word that Linux hands to a program. */
  commandCharacters: 32_768,
  commandSeconds: { default: 60, max: 300 },
  /** Of stdout and of stderr, each. */
  outputBytes: { default: 32 * kib, max: 256 * kib },
  /** What a command may print of each before it is ended, kept or not. */
  floodBytes: 64 * mib,
  commandsAtOnce: 4,
} as const

/** Characters of base64 for so many bytes. */
export const base64Length = (bytes: number) => Math.ceil(bytes / 3) * 4
