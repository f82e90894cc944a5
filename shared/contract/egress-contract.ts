import * as z from 'zod/mini'
import { policySchema } from '../domain/egress-policy.ts'
import { egressAnswerSchema, egressPromptSchema } from '../domain/egress-prompt.ts'
import { egressRequestSchema, hostTotalSchema } from '../domain/egress-request.ts'

const nothing = z.object({})
const call = <I extends z.ZodMiniType, O extends z.ZodMiniType>(input: I, output: O) => ({ input, output })

/** Podman's id of a sandbox, or the beginning of one. */
const sandbox = { id: z.string().check(z.regex(/^[0-9a-f]{1,64}$/)) }
const rule = z.string().check(z.minLength(1), z.maxLength(600))

/** What sandboxes reach, and what a person decides about it. */
export const egressContract = {
  /**
   * The log of a sandbox, of one that has ended too: `n` of a request grows, and a tunnel has a line when it opens and one
   * when it ends (`mergeRequests`). With `wait` it answers when there is something after `after`, or empty: after half a minute, and
   * at once when the sandbox has ended.
   */
  'egress.requests': call(
    z.object({ ...sandbox, after: z.int().check(z.minimum(0)), wait: z.optional(z.boolean()) }),
    z.object({ requests: z.array(egressRequestSchema), totals: z.array(hostTotalSchema), last: z.int(), hasEnded: z.boolean() }),
  ),
  'egress.policy': call(z.object(sandbox), policySchema),
  /** Lets a running sandbox reach a host, from the next second on; with `profile` every sandbox of its profile. */
  'egress.allow': call(z.object({ ...sandbox, rule, for: z.enum(['sandbox', 'profile']) }), policySchema),
  /** Takes back what a person allowed or refused; what the label says stays. */
  'egress.forget': call(z.object({ ...sandbox, rule }), policySchema),
  /** Every sandbox with something to decide. */
  'egress.prompts': call(nothing, z.array(egressPromptSchema)),
  /** Decides about hosts of a prompt. Deciding what is decided already succeeds. */
  'egress.decide': call(
    z.object({ ...sandbox, hosts: z.array(z.object({ host: z.string().check(z.maxLength(600)), port: z.int() })).check(z.minLength(1), z.maxLength(100)), answer: egressAnswerSchema }),
    nothing,
  ),
} as const
