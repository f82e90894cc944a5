/**
 * Before the end-to-end tests, however they were started: names the Electron runtime to them, and gives them a display
 * where there is none. Tests that open no window run without either.
 */
import { homedir } from 'node:os'
import { hostPaths } from '../host/toolchain-files.mjs'
import { say } from '../process/progress.mjs'
import { hasDisplay, startVirtualDisplay } from './display.mjs'
import { electronEnvironment, findElectron } from './runtime.mjs'

/** @returns what ends it after the last test */
export default async function setup({ config }) {
  const electron = findElectron(config.root, hostPaths(homedir(), process.env))
  if (electron) Object.assign(process.env, electronEnvironment(electron))
  else say('there is no Electron here, so tests that open windows will fail: npm test brings it')
  if (hasDisplay()) {
    say(`windows open on the display ${process.env.DISPLAY || process.env.WAYLAND_DISPLAY}`)
    return undefined
  }
  try {
    const { environment, stop } = await startVirtualDisplay()
    Object.assign(process.env, environment)
    say(`windows open on a virtual display (Xvfb ${environment.DISPLAY}): there is none here`)
    return stop
  } catch (error) {
    say(`${error.message}, so tests that open windows will fail`)
    return undefined
  }
}
