import type { ReactNode } from 'react'
import type { Sandbox } from '../../../shared/domain/sandbox.ts'

/** Draws what needs a sandbox that runs and can be reached, or says why there is none. */
export function Unreachable({ sandbox, what, children }: { sandbox: Sandbox | undefined; what: string; children: (sandbox: Sandbox) => ReactNode }) {
  const why = sandbox === undefined ? 'This sandbox has ended.' : sandbox.state !== 'running' ? `This sandbox is ${sandbox.state}, not running.` : sandbox.channelProblem === null ? null : `${what} cannot be reached: ${sandbox.channelProblem}.`
  if (sandbox !== undefined && why === null) return children(sandbox)
  return <p className="quiet panel-note">{why}</p>
}
