import { dirname, join } from 'node:path'
import { isExecutable } from '../../core/files/may-access.ts'
import { appImage } from '../../core/process/app-image.ts'

export interface AppFacts {
  execPath: string
  env: NodeJS.ProcessEnv
  isPackaged: boolean
  /** The command's bundle, in a checkout. */
  bundle: string
}

/**
 * What starts the `paddock` that belongs to this app, from anywhere and with any PATH: programs that a menu starts have
 * another one than a shell.
 */
export function paddockCommand({ execPath, env, isPackaged, bundle }: AppFacts): string[] {
  const image = appImage(execPath, env)
  // An AppImage is the command by its name alone; see AppRun.
  if (image !== undefined) return ['/bin/bash', '-c', 'exec -a paddock "$0" "$@"', image]
  if (isPackaged) return [join(dirname(execPath), 'bin/paddock')]
  return [nodePath(env), bundle]
}

/** A checkout is run by Node, whose place npm tells where it started the app. */
function nodePath({ npm_node_execpath: byNpm, PATH = '' }: NodeJS.ProcessEnv): string {
  const found = [byNpm, ...PATH.split(':').filter((folder) => folder.startsWith('/')).map((folder) => join(folder, 'node'))]
  return found.find((path) => path !== undefined && isExecutable(path)) ?? 'node'
}
