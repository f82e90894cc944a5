import type Docker from 'dockerode'
import type * as z from 'zod/mini'
import type { Podman } from './podman.ts'

/** Podman's own API on its socket, for questions whose answer is the command's JSON. */
export interface PodmanApi {
  /** @param path below `/libpod` @returns null for what does not exist @throws {Error} when it does not answer */
  get(path: string): Promise<unknown>
}

/** The API that Podman 5 speaks. Source: docs.podman.io, "Reference", libpod. */
const prefix = '/v5.0.0/libpod'

export function createPodmanApi(docker: Docker): PodmanApi {
  // The modem takes a question mark at the end for the place of a query, and drops it.
  const options = (path: string) => ({ path: `${prefix}${path}${path.includes('?') ? '&' : '?'}`, method: 'GET', statusCodes: { 200: true, 404: 'no such thing' } })
  return {
    get: (path) =>
      new Promise((resolve, reject) => {
        docker.modem.dial(options(path), (error: (Error & { statusCode?: number }) | null, answer: unknown) => {
          if (error === null) resolve(answer)
          else if (error.statusCode === 404) resolve(null)
          else reject(error)
        })
      }),
  }
}

/**
 * Asks over the socket while one is open, which starts no process.
 * @returns an answer for each path, null for what does not exist; null as a whole when the command has to be asked instead
 */
export async function askApi<T extends z.ZodMiniType>({ api }: Podman, paths: readonly string[], schema: T): Promise<(z.infer<T> | null)[] | null> {
  if (api === null) return null
  try {
    const answers = await Promise.all(paths.map((path) => api.get(path)))
    return answers.map((answer) => (answer === null ? null : schema.parse(answer)))
  } catch {
    return null
  }
}
