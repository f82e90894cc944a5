import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readdir, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { closeLane } from '../egress/lane.ts'
import { readPartNow } from '../store/read-bounded.ts'
import { createLaunchKeys, type LaunchKeys, launchKeys, removeLaunchKeys } from './launch-keys.ts'

/** The folder of one launch: what is mounted into it and what it tells. */
export interface LaunchRecord extends LaunchKeys {
  launchId: string
  folder: string
  cidFile: string
  bootIdFile: string
  /** Present when the launcher saw a microVM's kernel; not mounted, so the sandbox cannot write it. */
  verifiedFile: string
  /** Where Podman finds the hook of this launch, and nothing else. */
  hooksFolder: string
  hookFile: string
  /** The network rules that the hook loads. */
  rulesFile: string
  /** What the hook saw after it; not mounted, so the sandbox cannot write it. */
  receiptFile: string
  /** Present when the launcher found the receipt right; says what the sandbox is held to, and in which namespace. */
  egressFile: string
  /** When Podman began to run that sandbox, in its own words, so that a later start is told from it; comes a while later. */
  startFile: string
  /** What the proxy is told of this sandbox, and where; present in `allowlist`. */
  policyFile: string
  /** Authorities of a company's that the sandbox has to trust; mounted read-only, where there are any. */
  caFile: string
  /** What the person decided for this sandbox. */
  decisionsFile: string
  /** Present when the sandbox was launched for those who work through its channel, and ends with the last of them. */
  onDemandFile: string
}

const launchIdPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The record of a launch; null for an id that is none, since ids also come from labels of containers. */
export function launchRecord(launchesFolder: string, launchId: string): LaunchRecord | null {
  if (!launchIdPattern.test(launchId)) return null
  const folder = join(launchesFolder, launchId)
  const file = (name: string) => join(folder, name)
  return {
    launchId,
    folder,
    cidFile: file('container-id'),
    bootIdFile: file('boot-id'),
    verifiedFile: file('verified-microvm'),
    hooksFolder: file('hooks'),
    hookFile: file('hooks/egress.json'),
    rulesFile: file('egress.nft'),
    receiptFile: file('egress-receipt'),
    egressFile: file('egress'),
    startFile: file('started-at'),
    policyFile: file('policy.json'),
    caFile: file('ca.crt'),
    decisionsFile: file('decisions.json'),
    onDemandFile: file('on-demand'),
    ...launchKeys(file('keys')),
  }
}

/**
 * Makes the folder (0700) with an empty boot-id file in it, and the keys of the guest channel.
 * Written without a thread: a launch waits for it, and in the app each way to a thread and back takes longer than such a small file.
 * @param runtimeKeysFolder where the keys go; null, or one that cannot be had, leaves them in the record's own folder
 */
export async function createLaunchRecord(record: LaunchRecord, runtimeKeysFolder: string | null): Promise<void> {
  mkdirSync(record.folder, { recursive: true, mode: 0o700 })
  writeFileSync(record.bootIdFile, '', { flag: 'wx', mode: 0o600 })
  createLaunchKeys(record, runtimeKeysFolder && join(runtimeKeysFolder, record.launchId))
}

/** The texts by which a launch holds its sandbox's network. */
export interface EgressFiles {
  rules: string
  hook: string
}

/** Adds them to a record, in the same way. */
export async function createEgressFiles({ hooksFolder, hookFile, rulesFile, receiptFile }: LaunchRecord, { rules, hook }: EgressFiles): Promise<void> {
  const write = (path: string, text: string) => writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
  mkdirSync(hooksFolder, { mode: 0o700 })
  write(hookFile, hook)
  write(rulesFile, rules)
  write(receiptFile, '')
}

/** Removing what does not exist succeeds. */
export async function removeLaunchRecord(record: LaunchRecord): Promise<void> {
  const { folder, cidFile, bootIdFile, verifiedFile, onDemandFile, hooksFolder, hookFile, rulesFile, receiptFile, egressFile, startFile, policyFile, decisionsFile, caFile } = record
  await closeLane(policyFile)
  // Only what Paddock made: a launch waits for this at its end, and a recursive removal costs several times as much.
  const files = [cidFile, bootIdFile, verifiedFile, onDemandFile, hookFile, rulesFile, receiptFile, egressFile, startFile, policyFile, decisionsFile, caFile]
  await Promise.all([removeLaunchKeys(record), ...files.map((file) => rm(file, { force: true }))])
  for (const each of [hooksFolder, folder]) {
    await rmdir(each).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
  }
}

const bootIdLength = 37

/**
 * Reads what the sandbox reported. The sandbox can write anything of any length into this file: no more than a boot id
 * is read, and no link is followed.
 * @returns null when there is no report yet
 */
export function readReportedBootId({ bootIdFile }: LaunchRecord): string | null {
  return readPartNow(bootIdFile, 0, bootIdLength)
}

const maxComplaint = 300

/**
 * Reads what the entrypoint wrote behind the boot id: why there is no guest channel.
 * @returns one line of hostile text; null when it complains of nothing
 */
export function readChannelComplaint({ bootIdFile }: LaunchRecord): string | null {
  const text = readPartNow(bootIdFile, bootIdLength, maxComplaint)
  return text?.split('\n').find((line) => line.trim() !== '')?.trim() ?? null
}

/** More than the rules of a sandbox with hundreds of places. */
const maxReceipt = 256 * 1024

/** Reads what the hook has written so far. @returns null when that is nothing */
export function readEgressReceipt({ receiptFile }: LaunchRecord): string | null {
  return readPartNow(receiptFile, 0, maxReceipt)
}

/** Podman's id of a launch's sandbox; empty as long as there is none. */
export function sandboxIdOf({ cidFile }: Pick<LaunchRecord, 'cidFile'>): string {
  try {
    return readFileSync(cidFile, 'utf8').trim()
  } catch {
    return ''
  }
}

/** Whether this record is of that very container: a label alone can be borrowed. */
export function isRecordOf(record: LaunchRecord, containerId: string): boolean {
  return sandboxIdOf(record) === containerId
}

/** Whether the launcher saw a microVM's kernel in this very container. */
export async function isVerifiedMicrovm(record: LaunchRecord, containerId: string): Promise<boolean> {
  return isRecordOf(record, containerId) && (await stat(record.verifiedFile).then(() => true, () => false))
}

/** Records older than this whose sandbox is gone are left over from a launch that was killed. */
const leftOverAfterMs = 60_000

/** Removes the records whose sandbox is gone. */
export async function removeLeftOverRecords(launchesFolder: string, liveLaunchIds: ReadonlySet<string>): Promise<void> {
  const names = await readdir(launchesFolder).catch(() => [])
  const records = names.filter((name) => !liveLaunchIds.has(name)).map((name) => launchRecord(launchesFolder, name))
  await Promise.all(
    records.map(async (record) => {
      if (record === null) return
      const age = await stat(record.folder).then(({ mtimeMs }) => Date.now() - mtimeMs, () => 0)
      // What cannot be tidied up is no reason to refuse a list.
      if (age > leftOverAfterMs) await removeLaunchRecord(record).catch(() => {})
    }),
  )
}
