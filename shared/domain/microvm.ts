/** What was found on the host that decides whether it can run a microVM. */
export interface MicrovmFacts {
  /** What `krun --version` says; null when Podman knows no runtime of that name. */
  krunVersion: string | null
  /** Result of opening /dev/kvm for reading and writing. */
  kvm: 'open' | 'missing' | 'denied'
  /** What `passt --version` says; null when it is not installed. */
  passtVersion: string | null
}

/** Why microVMs cannot run, and what to do; null when they can. */
export interface MicrovmObstacle {
  why: string
  fix: string
}

/** The first thing that keeps this host from running a microVM. Pure. */
export function microvmObstacle({ krunVersion, kvm }: MicrovmFacts): MicrovmObstacle | null {
  const install = 'Install crun-krun (Fedora), krun (Arch) or crun (openSUSE Tumbleweed); Debian and Ubuntu ship no crun with libkrun.'
  if (krunVersion === null) return { why: 'krun is not installed', fix: install }
  // A crun without libkrun takes the name krun and starts a plain container, exit code 0.
  if (!krunVersion.includes('+LIBKRUN')) return { why: 'the installed krun was built without libkrun and would start a plain container', fix: install }
  if (kvm === 'missing') return { why: 'this host has no /dev/kvm', fix: 'Switch virtualisation on in the firmware; inside a virtual machine, allow nested virtualisation.' }
  if (kvm === 'denied') return { why: 'you may not open /dev/kvm', fix: 'sudo usermod --append --groups kvm "$USER", then log in again.' }
  return null
}

/** First passt that a crun before 1.30 cannot start by itself. */
const strictPasst = '2026_10_01'

/** True when `krun.use_passt=1` is known to fail, so that a launch has to use TSI (`krun.use_passt=0`). Pure. */
export function mustAvoidPasst({ krunVersion, passtVersion }: MicrovmFacts): boolean {
  if (passtVersion === null) return true
  const crun = /version (\d+)\.(\d+)/.exec(krunVersion ?? '')
  const passt = /(\d{4}_\d{2}_\d{2})/.exec(passtVersion)?.[1]
  if (!crun || passt === undefined) return false
  const isOldCrun = Number(crun[1]) < 1 || (Number(crun[1]) === 1 && Number(crun[2]) < 30)
  return isOldCrun && passt >= strictPasst
}
