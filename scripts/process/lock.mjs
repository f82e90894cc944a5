import { closeSync, mkdirSync, openSync } from 'node:fs'
import { spawn, spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { Failure } from './failure.mjs'
import { say } from './progress.mjs'

/**
 * Runs `action` while no other process holds the lock file. The lock belongs to the open file (flock(2)), so the kernel
 * releases it however this process ends; the file itself stays and means nothing.
 *
 * @param {string} file made when missing
 * @param {string} what what another process may be doing, for the person who waits
 * @param {(lock: number) => Promise<T> | T} action gets the lock's descriptor, for children that must hold it too
 * @returns {Promise<T>}
 * @template T
 */
export async function withLock(file, what, action) {
  mkdirSync(dirname(file), { recursive: true })
  const descriptor = openSync(file, 'a')
  try {
    if (!lockNow(descriptor)) {
      say(`waiting: another process is ${what}`)
      await lockWaiting(descriptor)
    }
    return await action(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

// flock(1) locks descriptor 3, which it shares with this process: the lock stays when flock has ended.
const options = (descriptor) => ({ stdio: ['ignore', 'ignore', 'inherit', descriptor] })

function lockNow(descriptor) {
  const result = spawnSync('flock', ['--exclusive', '--nonblock', '3'], options(descriptor))
  if (result.error) throw noFlock(result.error)
  return result.status === 0
}

function lockWaiting(descriptor) {
  return new Promise((resolve, reject) => {
    const child = spawn('flock', ['--exclusive', '3'], options(descriptor))
    child.on('error', (error) => reject(noFlock(error)))
    child.on('exit', (code) => (code === 0 ? resolve() : reject(new Failure('waiting for the other process failed'))))
  })
}

function noFlock(error) {
  return new Failure('flock could not be started', { why: error.message, fix: 'Install util-linux.' })
}
