/** The variable by which the processes of one shell are told from all others. */
export const shellVariable = 'PADDOCK_SHELL'

/** Longer names come from no kernel: TASK_COMM_LEN. */
const longestName = 15

/**
 * The program that runs in a shell's terminal beside the shell itself: the one that has the terminal, else one in the
 * background. Pure.
 * @param environments paths of the `/proc/PID/environ` that hold the shell's variable, a line each; hostile text
 * @param stats lines of `/proc/PID/stat`; hostile text. Source: proc_pid_stat(5)
 * @returns its name, empty when it has none that can be shown, or the shell is not found; null when nothing runs
 */
export function programInShell(environments: string, stats: string): string | null {
  const marked = new Set([...environments.matchAll(/^\/proc\/(\d+)\/environ$/gm)].map(([, pid]) => Number(pid)))
  const processes = stats.split('\n').flatMap((line) => {
    // A name may hold spaces and parentheses itself.
    const [, pid, name, rest] = /^(\d+) \((.*)\) (.*)$/.exec(line) ?? []
    const [state, , group, session, , foreground] = rest?.split(' ') ?? []
    return state === undefined || state === 'Z' ? [] : [{ pid: Number(pid), name: name ?? '', group: Number(group), session: Number(session), foreground: Number(foreground) }]
  })
  const shell = processes.find(({ pid, session }) => pid === session && marked.has(pid))
  if (!shell) return ''
  const others = processes.filter(({ pid, session }) => session === shell.pid && pid !== shell.pid)
  const program = others.find(({ group }) => group === shell.foreground) ?? others[0]
  return program ? program.name.replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '').slice(0, longestName) : null
}
