import { mkdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Background, startBackground } from '../process/background.ts'
import { podmanInfo } from './info.ts'
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

/**
 * Finds the account's Podman socket, or starts a private service on a socket of Paddock's own (0700 folder) where
 * systemd offers none.
 * @throws {Error} when neither answers
 */
export async function findService(podman: Podman, privateSocket: string): Promise<Service> {
  const info = await podmanInfo(podman)
  const own = info.host.remoteSocket?.path.replace(/^unix:\/\//, '')
  if (own && (await answers(own))) return { socket: own, close: () => {} }
  // Left by a Paddock that was killed, or another one's: it stays for as long as somebody listens.
  if (await answers(privateSocket)) return { socket: privateSocket, close: () => {} }
  await mkdir(dirname(privateSocket), { recursive: true, mode: 0o700 })
  await rm(privateSocket, { force: true })
  const background = startBackground(podman.command(['system', 'service', '--time', String(idleSeconds), `unix://${privateSocket}`]), podmanEnvironment)
  await waitUntilItAnswers(privateSocket, background)
  return { socket: privateSocket, close: background.stop }
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
