import { closeSync, openSync } from 'node:fs'

/**
 * Keeps this process alive while its children live, and passes signals on to them, so that none is left working behind
 * the person's back.
 *
 * @param {() => (import('node:child_process').ChildProcess | undefined)[]} children asked when a signal comes
 * @param {boolean} [hearKeyboard] whether the terminal sends Ctrl-C to the children itself
 * @returns {{ release(): NodeJS.Signals | undefined }} `release` ends it and gives the signal that came, if one did
 */
export function passSignals(children, hearKeyboard = hasTerminal()) {
  let received
  const note = (signal) => {
    // The first is the cause; a child that is stopped may send others around.
    received ??= signal
  }
  const forward = (signal) => {
    note(signal)
    for (const child of children()) child?.kill(signal)
  }
  // The terminal sends Ctrl-C to the whole process group: the child has it already, and a second one would mean
  // "stop at once" to many programs. Without a terminal nobody else passes it on.
  const fromKeyboard = hearKeyboard ? note : forward
  const handlers = { SIGINT: fromKeyboard, SIGQUIT: fromKeyboard, SIGTERM: forward, SIGHUP: forward }
  for (const [signal, handler] of Object.entries(handlers)) process.on(signal, handler)
  return {
    release() {
      for (const [signal, handler] of Object.entries(handlers)) process.off(signal, handler)
      return received
    },
  }
}

function hasTerminal() {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
