import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { GuestChannel } from '../../electron/core/guest/guest-channel.ts'
import { guestDesktop } from '../../shared/domain/desktop.ts'
import { until } from '../harness.ts'
import { cpuMsOf } from './cpu-time.ts'

const name = 'xtigervncviewer'

/** A VNC client of the distribution's, in a folder of its own: nothing is installed. */
export interface VncViewer {
  program: string
  libraries: string
}

/**
 * Finds the distribution's VNC client, or fetches its package and what that needs once, as apt does for this account.
 * @throws {Error} where there is no apt, or it reaches no archive
 */
export function findVncViewer(environment: NodeJS.ProcessEnv = process.env): VncViewer {
  const cache = join(environment.XDG_CACHE_HOME?.startsWith('/') ? environment.XDG_CACHE_HOME : join(homedir(), '.cache'), 'paddock')
  const folder = join(cache, name)
  if (!existsSync(folder)) fetchPackages(folder)
  const triplet = readdirSync(join(folder, 'usr/lib')).find((entry) => entry.endsWith('-linux-gnu')) ?? ''
  return { program: join(folder, 'usr/bin', name), libraries: join(folder, 'usr/lib', triplet) }
}

function fetchPackages(folder: string): void {
  const fresh = `${folder}.new-${process.pid}`
  mkdirSync(fresh, { recursive: true })
  try {
    const apt = (...args: string[]) => execFileSync('apt-get', args, { cwd: fresh, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    const plan = apt('install', '--simulate', '--no-install-recommends', 'tigervnc-viewer')
    apt('download', ...[...plan.matchAll(/^Inst (\S+)/gm)].map(([, each]) => each!))
    for (const archive of readdirSync(fresh).filter((entry) => entry.endsWith('.deb'))) {
      execFileSync('dpkg-deb', ['--extract', archive, '.'], { cwd: fresh })
      rmSync(join(fresh, archive))
    }
    renameSync(fresh, folder)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    throw error
  }
}

/** A client that shows a desktop, and what it has cost. */
export interface ShownDesktop {
  /** Milliseconds that its processes have been on a CPU, with what carries the bytes to it. */
  cpuMs(): number
  close(): Promise<void>
}

/** Shows a sandbox's desktop as the pane does: with the same encoding and quality, through a tunnel of the guest channel. */
export async function openVncViewer({ program, libraries }: VncViewer, guest: GuestChannel, folder: string): Promise<ShownDesktop> {
  let bytes = 0
  let cameAt = 0
  const tunnel = createServer(async (socket) => {
    const channel = await guest.forward(guestDesktop.port)
    channel.on('data', (data: Buffer) => {
      bytes += data.length
      cameAt = performance.now()
    })
    channel.on('error', () => {}).once('close', () => socket.destroy())
    socket.on('error', () => {}).once('close', () => channel.destroy())
    socket.pipe(channel).pipe(socket)
  })
  await new Promise<void>((resolve) => tunnel.listen(0, '127.0.0.1', resolve))
  const { port } = tunnel.address() as { port: number }
  const options = ['-SecurityTypes=None', '-Shared', '-RemoteResize=0', '-AutoSelect=0', '-PreferredEncoding=Tight', '-QualityLevel=6', '-CompressLevel=2', '-AcceptClipboard=0', '-SendClipboard=0']
  const child = spawn(program, [...options, `127.0.0.1::${port}`], { env: { ...process.env, HOME: folder, LD_LIBRARY_PATH: libraries }, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (data) => (said = (said + String(data)).slice(-2_000)))
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const close = async () => {
    child.kill()
    await ended
    tunnel.close()
  }
  try {
    await until('the VNC client shows the desktop', () => {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${said}`)
      return bytes > 10_000 && performance.now() - cameAt > 500
    })
  } catch (error) {
    await close()
    throw error
  }
  const ownMs = () => Object.values(process.cpuUsage()).reduce((sum, us) => sum + us, 0) / 1_000
  return { cpuMs: () => cpuMsOf([child.pid!]) + ownMs(), close }
}
