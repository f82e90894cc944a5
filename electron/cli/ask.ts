import { createInterface } from 'node:readline/promises'

/** Whether there is a person to ask. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/** Asks on stderr and returns the answer in lower case; an ended input is an empty answer. */
export async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    return (await Promise.race([lines.question(`${question} `), ended])).trim().toLowerCase()
  } finally {
    lines.close()
  }
}
