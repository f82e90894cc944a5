import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram } from '../host/find-program.mjs'
import { Failure } from '../process/failure.mjs'

const startTimeoutMs = 20_000

/** Room for the largest window that a test opens. */
const screen = '1920x1200x24'

/** Whether the person has a display on which a window can open. */
export function hasDisplay(environment = process.env) {
  return Boolean(environment.DISPLAY || environment.WAYLAND_DISPLAY)
}

/**
 * Starts a virtual display for this process. It ends with `stop`, and with this process however that ends.
 *
 * @returns {Promise<{ environment: { DISPLAY: string, XAUTHORITY: string }, stop(): Promise<void> }>}
 * @throws {Failure} when Xvfb is missing or does not start
 */
export async function startVirtualDisplay() {
  if (!findProgram('Xvfb'))
    throw new Failure('there is no display, and Xvfb is not installed to make a virtual one', {
      fix: 'Install Xvfb, or start this where DISPLAY or WAYLAND_DISPLAY is set.',
    })
  const folder = mkdtempSync(join(tmpdir(), 'paddock-display-'))
  const cookieFile = join(folder, 'Xauthority')
  writeFileSync(cookieFile, xauthority(randomBytes(16)), { mode: 0o600 })
  // A session of its own, because Ctrl-C must reach the windows before their display; so the kernel has to end it when
  // this process is killed.
  const server = spawn('setpriv', ['--pdeathsig', 'TERM', '--', ...xvfbCommand(cookieFile)], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const ended = new Promise((resolve) => server.once('close', resolve).once('error', resolve))
  const stop = async () => {
    // Or a process with nothing else to do would be over before this is.
    server.ref()
    server.kill()
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const number = await readNumber(server)
    for (const stream of [server, server.stderr, server.stdio[3]]) stream.unref()
    return { environment: { DISPLAY: `:${number}`, XAUTHORITY: cookieFile }, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** The server picks a free number itself and writes it to descriptor 3: Xserver(1). */
function xvfbCommand(cookieFile) {
  return ['Xvfb', '-displayfd', '3', '-screen', '0', screen, '-nolisten', 'tcp', '-noreset', '-auth', cookieFile]
}

function readNumber(server) {
  return new Promise((resolve, reject) => {
    let said = ''
    let number = ''
    const fail = (why) =>
      reject(
        new Failure('the virtual display does not start', {
          why: `Xvfb: ${why}${said ? `\n${said.trim()}` : ''}`,
          fix: 'Start this where DISPLAY is set, or make Xvfb work.',
        }),
      )
    const timer = setTimeout(() => fail('no answer'), startTimeoutMs)
    server.stderr.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-2000)
    })
    server.stdio[3].setEncoding('utf8').on('data', (text) => {
      number += text
      if (!number.includes('\n')) return
      clearTimeout(timer)
      resolve(Number(number))
    })
    server.once('error', (error) => fail(error.message))
    server.once('close', (code, signal) => {
      clearTimeout(timer)
      fail(`ended with ${signal ?? `exit code ${code}`}`)
    })
  })
}

/**
 * An Xauthority file (Xau(3)) whose one cookie opens every display: without one, every account of this machine could
 * look at the windows and type into them.
 */
export function xauthority(cookie) {
  const field = (content) => {
    const bytes = Buffer.from(content)
    return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 0xff]), bytes])
  }
  const anyAddress = Buffer.from([0xff, 0xff])
  return Buffer.concat([anyAddress, field(''), field(''), field('MIT-MAGIC-COOKIE-1'), field(cookie)])
}
