import { type ErrorReport, toErrorReport } from '../errors/paddock-error.ts'
import { type CallContext, type CallName, contract, type Handlers, type Input, type Output } from './contract.ts'

/** Success and failure have one shape, so that they cross process borders alike. */
export type Reply<T> = { ok: true; value: T } | { ok: false; error: ErrorReport }

/** Parses the input by the contract, calls the handler, and never throws. */
export async function dispatch<N extends CallName>(
  handlers: Handlers,
  name: N,
  input: Input<N>,
  context: CallContext,
): Promise<Reply<Output<N>>> {
  // The name, too, comes from another process.
  if (!Object.hasOwn(contract, name)) return { ok: false, error: { code: 'usage', message: `There is no call "${name}".` } }
  const parsed = contract[name].input.safeParse(input)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const where = issue?.path.join('.') || 'input'
    return { ok: false, error: { code: 'usage', message: `${name}: ${where} is not valid: ${issue?.message ?? 'unknown'}.` } }
  }
  try {
    return { ok: true, value: await handlers[name](parsed.data as Input<N>, context) }
  } catch (error) {
    return { ok: false, error: toErrorReport(error) }
  }
}
