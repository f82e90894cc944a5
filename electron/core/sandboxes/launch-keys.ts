import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { readlink, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { userInfo } from 'node:os'
import { channelFiles, sshdConfig } from '../../../shared/domain/guest.ts'
import { generateSshKeyPair } from '../guest/openssh-key.ts'

/** The keys of one launch, all below a folder of its record, which is a link where they lie in the runtime folder. */
export interface LaunchKeys {
  keysFolder: string
  /** What the guest's sshd runs on; mounted read-only. */
  channelFolder: string
  /** The key that opens the guest channel; not mounted. */
  clientKeyFile: string
  /** The guest's host key as it was made, in the format of `known_hosts`; not mounted, so that only a holder of the key can pass for the guest. */
  knownHostsFile: string
}

export function launchKeys(keysFolder: string): LaunchKeys {
  return { keysFolder, channelFolder: join(keysFolder, 'channel'), clientKeyFile: join(keysFolder, 'client-key'), knownHostsFile: join(keysFolder, 'known-hosts') }
}

/** The name under which the guest's host key is known: there is no host of that name. */
export const guestHostName = 'paddock-guest'

/**
 * Makes a host key and a client key for one launch alone.
 * @param wanted folder to make them in, with a link to it in the record: whoever looks for them later may not know the
 * runtime folder. Null, or one that cannot be had for this account alone, makes them in the record
 */
export function createLaunchKeys(keys: LaunchKeys, wanted: string | null): void {
  const [host, client] = [generateSshKeyPair(), generateSshKeyPair()]
  if (wanted === null || !isOwnFolder(dirname(wanted))) mkdirSync(keys.keysFolder, { mode: 0o700 })
  else {
    // The link first: by it keys are found and removed, wherever their making was cut short.
    symlinkSync(wanted, keys.keysFolder)
    mkdirSync(wanted, { mode: 0o700 })
  }
  mkdirSync(keys.channelFolder, { mode: 0o700 })
  const inChannel = (name: keyof typeof channelFiles) => join(keys.channelFolder, channelFiles[name])
  const texts: Record<string, string> = {
    [inChannel('config')]: sshdConfig(),
    [inChannel('hostKey')]: host.privateKey,
    [inChannel('authorizedKeys')]: `${client.publicKey}\n`,
    [keys.clientKeyFile]: client.privateKey,
    [keys.knownHostsFile]: `${guestHostName} ${host.publicKey}\n`,
  }
  for (const [path, text] of Object.entries(texts)) writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
}

/** Removing what does not exist succeeds; nothing is removed but what was made. */
export async function removeLaunchKeys(keys: LaunchKeys): Promise<void> {
  const target = await linkTarget(keys)
  const files = [keys.clientKeyFile, keys.knownHostsFile, ...Object.values(channelFiles).map((name) => join(keys.channelFolder, name))]
  await Promise.all(files.map((file) => rm(file, { force: true })))
  await removeFolder(keys.channelFolder)
  if (target === null) return removeFolder(keys.keysFolder)
  await removeFolder(target)
  await rm(keys.keysFolder, { force: true })
}

/** Why the keys are not there; the end of a sentence. */
export async function missingKeys(keys: LaunchKeys): Promise<string> {
  const target = await linkTarget(keys)
  if (target === null) return 'its launch made no keys: it is of an older Paddock'
  return `its keys are gone with ${dirname(dirname(dirname(target)))}, which is emptied when you log out everywhere; "loginctl enable-linger" keeps it for the next sandbox`
}

/** Where the keys lie when not in the record. */
const linkTarget = ({ keysFolder }: LaunchKeys) => readlink(keysFolder).catch(() => null)

/** Makes a folder, in one that exists, and tells whether it and what it lies in are this account's alone. */
function isOwnFolder(folder: string): boolean {
  const [above, runtime] = [dirname(folder), dirname(dirname(folder))]
  try {
    for (const each of [above, folder]) makeIfMissing(each)
    return [runtime, above, folder].map((each) => lstatSync(each)).every((stats) => stats.isDirectory() && stats.uid === userInfo().uid && (stats.mode & 0o022) === 0)
  } catch {
    return false
  }
}

function makeIfMissing(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

async function removeFolder(folder: string): Promise<void> {
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}
