/**
 * The closed list of things that can go wrong. Callers branch on the code, never on the text.
 */
export const errorCodes = [
  'usage',
  'settings-invalid',
  'profile-unknown',
  'profile-broken',
  'profile-not-runnable',
  'profile-exists',
  'profile-refused',
  'label-invalid',
  'findings-not-accepted',
  'project-refused',
  'isolation-unavailable',
  'isolation-broken',
  'egress-unavailable',
  'egress-broken',
  'podman-missing',
  'podman-failed',
  'base-image-unavailable',
  'build-failed',
  'sandbox-unknown',
  'sandbox-running',
  'channel-unavailable',
  'channel-lost',
  'desktop-unavailable',
  'copy-failed',
  'workspace-refused',
  'registry-failed',
  'cancelled',
  'internal',
] as const

export type ErrorCode = (typeof errorCodes)[number]

/** What a person or a program learns of a failure. Plain data: it crosses process borders as it is. */
export interface ErrorReport {
  code: ErrorCode
  /** One sentence of what happened and why. */
  message: string
  /** What to do about it. */
  hint?: string | undefined
  /** The command that failed, secrets redacted. */
  command?: string[] | undefined
  exitCode?: number | undefined
  /** The end of what the command wrote to stderr. */
  stderrTail?: string | undefined
}

/** The one error that Paddock throws on purpose; anything else that is thrown is a defect. */
export class PaddockError extends Error {
  readonly report: ErrorReport

  constructor(report: ErrorReport, options?: { cause?: unknown }) {
    super(report.message, options)
    this.name = 'PaddockError'
    this.report = report
  }
}

/** Turns anything thrown into a report; a value that is no `PaddockError` becomes `internal`. */
export function toErrorReport(thrown: unknown): ErrorReport {
  if (thrown instanceof PaddockError) return thrown.report
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return { code: 'internal', message: `Unexpected failure: ${message}`, hint: 'This is a defect in Paddock; please report it.' }
}

const usageCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'usage',
  'settings-invalid',
  'profile-unknown',
  'profile-not-runnable',
  'profile-exists',
  'profile-refused',
  'project-refused',
  'sandbox-unknown',
])

/** Exit code of the command for an error: 2 when the person's words were at fault, else 125, as `podman run` has it. */
export function exitCodeOf(code: ErrorCode): number {
  if (usageCodes.has(code)) return 2
  if (code === 'cancelled') return 130
  return 125
}
