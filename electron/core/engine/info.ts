import * as z from 'zod/mini'
import { parseReply, type Podman } from './podman.ts'

/** `podman info`, as the command and the socket give it. */
export const infoSchema = z.object({
  host: z.object({
    cgroupVersion: z.string(),
    cgroupControllers: z.nullish(z.array(z.string())),
    networkBackend: z.string(),
    ociRuntime: z.object({ name: z.string(), path: z.string(), version: z.string() }),
    pasta: z.nullish(z.object({ executable: z.string(), version: z.string() })),
    remoteSocket: z.nullish(z.object({ path: z.string() })),
    serviceIsRemote: z.boolean(),
    security: z.object({ rootless: z.boolean() }),
    idMappings: z.nullish(z.object({ uidmap: z.nullish(z.array(z.object({ size: z.number() }))) })),
  }),
  store: z.object({ graphRoot: z.string(), graphDriverName: z.string() }),
  version: z.object({ Version: z.string() }),
})

export type PodmanInfo = z.infer<typeof infoSchema>

/** `podman info`, with the OCI runtime that a name stands for in Podman's own configuration. */
export async function podmanInfo(podman: Podman, runtime?: string): Promise<PodmanInfo> {
  const args = [...(runtime === undefined ? [] : ['--runtime', runtime]), 'info', '--format', 'json']
  return parseReply(infoSchema, await podman.run(args, { timeoutMs: 20_000 }))
}
