import { planHost } from './plan.mjs'

/**
 * What `host --check` prints: a line for each requirement, and for what is missing what would be done.
 *
 * @returns {{ text: string, isReady: boolean }}
 */
export function reportHost(facts) {
  const requirements = planHost(facts)
  const width = Math.max(...requirements.map(({ name }) => name.length))
  const lines = requirements.map(({ name, isMet, found, remedy }) => {
    const line = `${isMet ? 'ok     ' : 'missing'}  ${name.padEnd(width)}  ${found}`
    return isMet ? line : `${line}\n${' '.repeat(width + 11)}-> ${remedy}`
  })
  return { text: lines.join('\n'), isReady: requirements.every(({ isMet }) => isMet) }
}
