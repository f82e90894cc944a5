import { constants } from 'node:fs'
import { access, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { MicrovmFacts } from '../../../shared/domain/microvm.ts'
import { podmanInfo } from '../engine/info.ts'
import type { Podman } from '../engine/podman.ts'
import { run } from '../process/run.ts'

/** Looks at what this host has for microVMs; Podman's own configuration decides which program `krun` is. */
export async function probeMicrovm(podman: Podman, kvmDevice = '/dev/kvm'): Promise<MicrovmFacts> {
  const [krun, kvm] = await Promise.all([podmanInfo(podman, 'krun').catch(() => null), openKvm(kvmDevice)])
  // passt and pasta are one program under two names, side by side.
  const pasta = (krun ?? (await podmanInfo(podman).catch(() => null)))?.host.pasta?.executable
  const passt = await run([pasta ? join(dirname(pasta), 'passt') : 'passt', '--version'], { timeoutMs: 5_000 })
  return {
    krunVersion: krun?.host.ociRuntime.version ?? null,
    kvm,
    passtVersion: passt.exitCode === 0 ? passt.stdout : null,
  }
}

/** Opens the device, because being there and being allowed are two things, and access(2) does not know of every rule. */
async function openKvm(device: string): Promise<MicrovmFacts['kvm']> {
  try {
    await access(device, constants.F_OK)
  } catch {
    return 'missing'
  }
  try {
    const handle = await open(device, constants.O_RDWR)
    await handle.close()
    return 'open'
  } catch {
    return 'denied'
  }
}
