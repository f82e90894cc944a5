import { createHash } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Background, startBackground } from '../process/background.ts'
import { createPodmanApi } from './api.ts'
import { infoSchema, podmanInfo, type PodmanInfo } from './info.ts'
import { podmanEnvironment, type Podman } from './podman.ts'

/** Where Podman's API answers, and how to let go of it. */
export interface Service {
  socket: string
  close(): void
}

/** How long a service that nobody is connected to goes on; a watch of the events is a connection. */
const idleSeconds = 10
const startTimeoutMs = 10_000
const lookAgainMs = 50
const askTimeoutMs = 5_000

/**
 * Finds the account's Podman socket, or starts a private service on a socket of Paddock's own where systemd offers none.
 * @param folder for private sockets; made with 0700
 * @throws {Error} when neither answers
 */
export async function findService(podman: Podman, folder: string): Promise<Service> {
  const info = await podmanInfo(podman)
  const privateSocket = privateSocketFor(folder, info)
  const own = info.host.remoteSocket?.path.replace(/^unix:\/\//, '')
  if (own && (await isSame(own, info))) return { socket: own, close: () => {} }
  // Left by a Paddock that was killed, or another one's: it stays for as long as somebody listens.
  if (await isSame(privateSocket, info)) return { socket: privateSocket, close: () => {} }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await rm(privateSocket, { force: true })
  const background = startBackground(podman.command(['system', 'service', '--time', String(idleSeconds), `unix://${privateSocket}`]), podmanEnvironment)
  await waitUntilItAnswers(privateSocket, background)
  return { socket: privateSocket, close: background.stop }
}

/** Each storage has a socket of its own: two Paddocks over different ones would take it from each other. */
export function privateSocketFor(folder: string, { store: { graphRoot } }: Pick<PodmanInfo, 'store'>): string {
  return join(folder, `podman-${createHash('sha256').update(graphRoot).digest('hex').slice(0, 8)}.sock`)
}

async function waitUntilItAnswers(socket: string, background: Background): Promise<void> {
  let hasEnded = false
  void background.ended.then(() => {
    hasEnded = true
  })
  const until = Date.now() + startTimeoutMs
  while (!(await answers(socket))) {
    if (hasEnded || Date.now() > until) {
      background.stop()
      throw new Error('Podman’s service did not start')
    }
    await sleep(lookAgainMs)
  }
}

/** Whether the same Podman, with the same storage, answers there: the distribution's own may be another one than ours. */
async function isSame(socketPath: string, { version, store }: PodmanInfo): Promise<boolean> {
  if (!(await answers(socketPath))) return false
  const { default: Docker } = await import('dockerode')
  const answer = await createPodmanApi(new Docker({ socketPath, timeout: askTimeoutMs })).get('/info').catch(() => null)
  const { success, data } = infoSchema.safeParse(answer)
  return success && data.version.Version === version.Version && data.store.graphRoot === store.graphRoot
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket)
    connection.once('connect', () => {
      connection.destroy()
      resolve(true)
    })
    connection.once('error', () => resolve(false))
  })
}
