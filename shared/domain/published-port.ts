const pattern = /^(?:(?<address>\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-fA-F:.]+\]):)?(?:(?<host>\d+(?:-\d+)?)?:)?(?<inside>\d+(?:-\d+)?)(?:\/(?:tcp|udp|sctp))?$/
const maxPort = 65_535

/**
 * What is wrong with a value of `--publish`, as the end of a sentence; null when nothing is. Pure. Source: podman-run(1).
 */
export function portProblem(value: string): string | null {
  const { address, host, inside } = pattern.exec(value)?.groups ?? {}
  if (inside === undefined) return `"${value}" is no port; write ADDRESS:PORT:SANDBOX-PORT, as in 127.0.0.1:8080:80`
  if (address && !address.startsWith('[') && address.split('.').some((part) => Number(part) > 255)) return `"${address}" is no address`
  const ranges = [host, inside].filter((range) => range !== undefined).map((range) => range.split('-').map(Number))
  const wrong = ranges.flat().find((port) => port < 1 || port > maxPort)
  if (wrong !== undefined) return `${wrong} is no port: they go from 1 to ${maxPort}`
  if (ranges.some(([first, last]) => last !== undefined && last < first!)) return `"${value}" has a range that ends before it begins`
  const lengths = ranges.map(([first, last]) => (last ?? first!) - first!)
  return lengths.length === 2 && lengths[0] !== lengths[1] ? `"${value}" has more ports on one side than on the other` : null
}
