import { useCallback, useEffect, useRef, useState } from 'react'
import type { Policy } from '../../../shared/domain/egress-policy.ts'
import type { ErrorReport } from '../../../shared/errors/paddock-error.ts'
import { useApi } from '../../store/context.tsx'

/** The scopes for which a person allows a host. */
export type AllowFor = 'sandbox' | 'profile'

export interface PolicyOf {
  policy: Policy | null
  /** What went wrong last, in a sentence, and why. */
  failure: { what: string; error: ErrorReport } | null
  /** @returns whether it was taken */
  allow(rule: string, scope: AllowFor): Promise<boolean>
  forget(rule: string): Promise<void>
}

/** What a sandbox is held to, and how to change it. @param key another one looks again */
export function usePolicy(id: string, key: string): PolicyOf {
  const api = useApi()
  const [policy, setPolicy] = useState<Policy | null>(null)
  const [failure, setFailure] = useState<PolicyOf['failure']>(null)
  const asked = useRef(0)
  const ask = useCallback(
    async (what: string, call: () => Promise<{ ok: true; value: Policy } | { ok: false; error: ErrorReport }>) => {
      const mine = ++asked.current
      const reply = await call()
      if (mine !== asked.current) return reply.ok
      setFailure(reply.ok ? null : { what, error: reply.error })
      if (reply.ok) setPolicy(reply.value)
      return reply.ok
    },
    [],
  )
  useEffect(() => {
    void ask('What it is held to could not be read.', () => api.call('egress.policy', { id }))
    return () => void asked.current++
  }, [api, ask, id, key])
  const allow = useCallback((rule: string, scope: AllowFor) => ask(`${rule} was not allowed.`, () => api.call('egress.allow', { id, rule, for: scope })), [api, ask, id])
  const forget = useCallback(async (rule: string) => void (await ask(`${rule} was not taken back.`, () => api.call('egress.forget', { id, rule }))), [api, ask, id])
  return { policy, failure, allow, forget }
}
