import { constants } from 'node:os'

/** A failure that a person can act on: what happened, why, and what to do. */
export class Failure extends Error {
  /**
   * @param {string} what one sentence without a full stop
   * @param {{ why?: string, fix?: string, exitCode?: number }} [more] `why` and `fix` may have several lines
   */
  constructor(what, { why, fix, exitCode = 1 } = {}) {
    super(what)
    this.name = 'Failure'
    this.why = why
    this.fix = fix
    this.exitCode = exitCode
  }
}

/** A step that did not end because a signal came, usually Ctrl-C. Nobody should try it again unasked. */
export class Stopped extends Failure {
  constructor(title, signal) {
    super(`stopped by ${signal} while ${title}`, {
      fix: 'Run the same command again; what is already done is kept.',
      exitCode: 128 + constants.signals[signal],
    })
    this.name = 'Stopped'
  }
}

/** The text that a person sees for any thrown value; only a failure of ours comes without a stack. */
export function describeFailure(error) {
  if (!(error instanceof Failure)) return `paddock: unexpected error: ${error?.stack ?? error}`
  const lines = [`paddock: ${error.message}.`]
  if (error.why) lines.push(indent('Why: ', error.why))
  if (error.fix) lines.push(indent('What to do: ', error.fix))
  return lines.join('\n')
}

function indent(label, text) {
  return `  ${label}${text.trimEnd().replaceAll('\n', '\n    ')}`
}
