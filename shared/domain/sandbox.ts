import * as z from 'zod/mini'
import { capsSchema } from './caps.ts'
import { egressModes } from './egress.ts'

/** What separates the sandbox from the host's kernel. */
export const isolationSchema = z.enum(['microvm', 'container'])
export type Isolation = z.infer<typeof isolationSchema>

/** A launched instance of a profile, as every surface shows it. */
export const sandboxSchema = z.object({
  /** Podman's full container id. */
  id: z.string(),
  profile: z.string(),
  /** Host path mounted at `/home/ai/sandbox`; null when none is. */
  project: z.nullable(z.string()),
  /** Podman's state: `created`, `running`, `paused`, `exited` … or `broken`. */
  state: z.string(),
  /** Measured in the running sandbox, never taken from what was asked; `unverified` when it could not be measured. */
  isolation: z.enum(['microvm', 'container', 'unverified']),
  /** What its network is held to, as the launcher saw it in the sandbox's namespace; `unenforced` where no rules are. */
  egress: z.enum([...egressModes, 'unenforced']),
  /** ISO 8601; null when it never started. */
  startedAt: z.nullable(z.string()),
  caps: z.extend(capsSchema, {
    /** Caps that the label sets and this host does not enforce. */
    unenforced: z.array(z.enum(['ramMib', 'cpus', 'pids'])),
  }),
  /** Ports published on the host. */
  ports: z.array(z.object({ host: z.string(), hostPort: z.number(), sandboxPort: z.number(), protocol: z.string() })),
  /** Whether its launch asked for a desktop. */
  hasDesktop: z.boolean(),
  /** Why nothing but its first terminal can be reached, the end of a sentence; null when nothing speaks against the guest channel, or the sandbox does not run. */
  channelProblem: z.nullable(z.string()),
  /** Why the sandbox is broken; null when it is not. */
  error: z.nullable(z.string()),
})
export type Sandbox = z.infer<typeof sandboxSchema>

/** Where the home is mounted. */
export const homeMountPoint = '/home/ai'

/** Where the project is mounted. */
export const projectMountPoint = '/home/ai/sandbox'

/** Where the entrypoint finds the file into which it writes the boot id that it sees. */
export const bootIdMountPoint = '/run/paddock/boot-id'

const bootIdPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Judges isolation from the boot id that the sandbox sees and the runtime that Podman says it uses. Only a kernel other
 * than the host's is a microVM, and only krun can start one: a sandbox that lies about its boot id under another
 * runtime is still a container.
 * @param seen what the sandbox reported; hostile text
 */
export function judgeIsolation(seen: string | null, host: string, runtime: string): Isolation | 'unverified' {
  const isKrun = /(^|\/)krun$/.test(runtime)
  const bootId = seen?.trim() ?? ''
  if (!bootIdPattern.test(bootId)) return isKrun ? 'unverified' : 'container'
  return isKrun && bootId !== host.trim() ? 'microvm' : 'container'
}
