import { createHash } from 'node:crypto'
import { join } from 'node:path'

/** Everything that the proxy of an account works with, on this machine. */
export interface ProxyPlace {
  folder: string
  /** The container. */
  name: string
  /** A file for each sandbox, named after its port; read-only in the container. */
  policiesFolder: string
  /** A file for each launch; all that the container can write. */
  logFolder: string
  /** Which sandbox a launch was, for as long as its log is kept. */
  historyFolder: string
  configFolder: string
  configFile: string
  hooksFolder: string
  hookFile: string
  rulesFile: string
  receiptFile: string
  /** The proxy that runs, as it was started. */
  runningFile: string
}

/** Where it is. Nothing is read or made. */
export function proxyPlace(folder: string): ProxyPlace {
  const file = (name: string) => join(folder, name)
  return {
    folder,
    name: `paddock-egress-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`,
    policiesFolder: file('policies'),
    logFolder: file('log'),
    historyFolder: file('history'),
    configFolder: file('proxy'),
    configFile: file('proxy/squid.conf'),
    hooksFolder: file('hooks'),
    hookFile: file('hooks/egress.json'),
    rulesFile: file('egress.nft'),
    receiptFile: file('receipt'),
    runningFile: file('running.json'),
  }
}

/** By which Paddock knows the proxy's container, which is no sandbox. */
export const proxyLabel = 'dev.paddock.egress-proxy'

/** Sandboxes with an allowlist that one proxy serves at a time. */
const lanes = 64
/** Below the ports that the kernel gives to outgoing connections. */
const lowest = 20_000
const ranges = 190

/** Ports for a proxy; each try has others, should a program of this machine have taken one. */
export function portRange({ folder }: ProxyPlace, attempt: number): number[] {
  const start = createHash('sha256').update(folder).digest().readUInt32BE(0)
  const first = lowest + ((start + attempt * 37) % ranges) * lanes
  return Array.from({ length: lanes }, (_each, at) => first + at)
}

export const policyFileOf = ({ policiesFolder }: ProxyPlace, port: number) => join(policiesFolder, String(port))
export const logFileOf = ({ logFolder }: ProxyPlace, launchId: string) => join(logFolder, `${launchId}.jsonl`)
export const historyFileOf = ({ historyFolder }: ProxyPlace, launchId: string) => join(historyFolder, `${launchId}.json`)
