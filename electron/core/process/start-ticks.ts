import { readFileSync } from 'node:fs'

/** The field counts from the third on, behind the program's name in parentheses, which may hold anything. Source: proc_pid_stat(5). */
const startField = 22 - 3

/** When a process was started, in clock ticks since the machine was: with its pid it names one process for good. @returns null when there is none */
export function startTicksOf(pid: number): string | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')[startField] ?? null
  } catch {
    return null
  }
}
