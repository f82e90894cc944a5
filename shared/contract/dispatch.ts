import type * as z from 'zod/mini'
import { type ErrorReport, toErrorReport } from '../errors/paddock-error.ts'
import { type CallContext, type CallName, contract, type Handlers, type Input, type Output } from './contract.ts'

/** Success and failure have one shape, so that they cross process borders alike. */
export type Reply<T> = { ok: true; value: T } | { ok: false; error: ErrorReport }

/** A table of calls: what goes in and what comes out of each. */
export type CallTable = Record<string, { input: z.ZodMiniType; output: z.ZodMiniType }>

/** Something that answers every call of a table. */
export type HandlersOf<T extends CallTable> = {
  [N in keyof T]: (input: z.infer<T[N]['input']>, context: CallContext) => Promise<z.infer<T[N]['output']>>
}

/** Parses the input by the core's contract, calls the handler, and never throws. */
export function dispatch<N extends CallName>(handlers: Handlers, name: N, input: Input<N>, context: CallContext): Promise<Reply<Output<N>>> {
  return dispatchTo(contract, handlers, name, input, context)
}

/** The same for any table of calls. */
export async function dispatchTo<T extends CallTable, N extends keyof T & string>(
  table: T,
  handlers: HandlersOf<T>,
  name: N,
  input: z.infer<T[N]['input']>,
  context: CallContext,
): Promise<Reply<z.infer<T[N]['output']>>> {
  // The name, too, comes from another process.
  if (!Object.hasOwn(table, name)) return { ok: false, error: { code: 'usage', message: `There is no call "${name}".` } }
  const parsed = table[name]!.input.safeParse(input)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    const where = issue?.path.join('.') || 'input'
    return { ok: false, error: { code: 'usage', message: `${name}: ${where} is not valid: ${issue?.message ?? 'unknown'}.` } }
  }
  try {
    return { ok: true, value: await handlers[name](parsed.data as never, context) }
  } catch (error) {
    return { ok: false, error: toErrorReport(error) }
  }
}
