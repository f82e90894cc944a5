import { egressModes, hasNoNetwork, writtenAllowances, writtenEgress } from './egress.ts'
import { parseAllowance } from './egress-allowances.ts'
import { isLocal, isMetadata, parsePlace } from './egress-places.ts'
import { finding, type Finding } from './finding.ts'
import { type RunArguments, valuesOf } from './run-flags.ts'

/** Whether plain Podman, which knows no modes, would give the sandbox more than the label says. */
export function egress({ options }: RunArguments): Finding[] {
  const mode = writtenEgress(options)
  if (mode === undefined || mode === 'open' || hasNoNetwork(options)) return []
  const isKnown = (egressModes as readonly string[]).includes(mode)
  const what = isKnown ? `Egress ${mode} is held by Paddock’s launches` : `Egress ${mode} is no mode, so Paddock’s launches let nothing out`
  return [finding('medium', 'egress', `${what}, but plain Podman gives this label a network: --network none goes with it.`)]
}

/** What the label opens by address, and what it misspells; a resolver that it names is opened too. Hosts are what an allowlist is for. */
export function openedPlaces({ options }: RunArguments): Finding[] {
  const named = writtenAllowances(options).flatMap((text) => {
    const allowance = parseAllowance(text)
    if (typeof allowance === 'string') return finding('medium', 'egress-allow', `"${text}" opens nothing: ${allowance}.`)
    if (allowance.kind !== 'place') return []
    if (isMetadata(allowance.place)) return finding('high', 'egress-allow', `${text} is where a cloud hands out the secrets of this machine.`)
    return finding('low', 'egress-allow', `The sandbox may reach ${text}.`)
  })
  return [...named, ...valuesOf(options, '--dns').flatMap(openedResolver)]
}

function openedResolver(address: string): Finding[] {
  const place = parsePlace(address.includes(':') ? `[${address}]:53` : `${address}:53`)
  if (typeof place === 'string') return []
  if (isMetadata(place)) return [finding('high', 'egress-allow', `--dns ${address} opens port 53 where a cloud hands out the secrets of this machine.`)]
  return isLocal(place) ? [finding('low', 'egress-allow', `--dns ${address} lets the sandbox reach port 53 there.`)] : []
}
