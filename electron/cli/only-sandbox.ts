import type { Sandbox } from '../../shared/domain/sandbox.ts'
import { PaddockError } from '../../shared/errors/paddock-error.ts'
import { findSandboxes } from '../core/sandboxes/find-sandbox.ts'
import type { Session } from './session.ts'

/** The one sandbox that an id or a unique beginning of one names. @throws {PaddockError} `sandbox-unknown` */
export async function onlySandbox(session: Session, given: string): Promise<Sandbox> {
  const [sandbox] = findSandboxes(await session.call('sandbox.list', {}), [given])
  if (sandbox) return sandbox
  throw new PaddockError({ code: 'sandbox-unknown', message: `Sandbox ${given} is gone.`, hint: '"paddock ls" lists the sandboxes.' })
}
