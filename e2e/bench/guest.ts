import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copyFromGuest, copyToGuest } from '../../electron/core/guest/copy/copy.ts'
import type { GuestChannel } from '../../electron/core/guest/guest-channel.ts'
import { openGuest, startSandbox } from '../fixtures/guest.ts'
import { createWorld, exec, onMinimal, type World } from '../harness.ts'
import type { Report } from './report.ts'
import { measureInTurn, nowMs } from './samples.ts'

const commandPairs = 20
const filePairs = 6
const fileMib = 200
const mib = 1024 ** 2
/** Four fifths of what OpenSSH's own sftp moves in the same time. */
const fileLimit = 1 / 0.8
const profile = 'e2e-bench-guest'

/** A command and files through the guest channel, beside OpenSSH's clients on the same way in. Both sides are connected before. */
export async function benchGuest(report: Report): Promise<void> {
  const world = createWorld('bench-guest')
  try {
    world.profile(profile, onMinimal((label) => label.replace('--runtime krun', '--runtime crun')))
    const built = await world.paddock(['build', profile])
    if (built.code !== 0) throw new Error(`The profile to measure with could not be built:\n${built.stderr}`)
    const id = await startSandbox(world, profile, world.project())
    const guest = await openGuest(world, id)
    const { ssh, sftp, close } = await connectOpenSsh(world, id)
    try {
      report.ratio('true over an open channel', 'ssh over an open connection', await measureInTurn(commandPairs, () => timeMs(() => guest.run(['true'])), () => timeMs(() => ssh(['true']))), 1)
      report.ratio('paddock exec', 'ssh, each with a connection of its own', await measureInTurn(commandPairs / 2, () => timeMs(() => succeeds(world.paddock(['exec', id, '--', 'true']))), () => timeMs(() => ssh(['-S', 'none', 'true']))), null)
      await benchFiles(report, world, guest, sftp)
    } finally {
      guest.close()
      await close()
    }
  } finally {
    await world.dispose()
  }
}

async function benchFiles(report: Report, world: World, guest: GuestChannel, sftp: (batch: string) => Promise<unknown>): Promise<void> {
  const folder = join(world.folder, 'files')
  mkdirSync(folder)
  const source = join(folder, 'source')
  writeFileSync(source, Buffer.alloc(fileMib * mib, 'a line of text that stands for a file\n'))
  const request = { cwd: folder, guarded: [], signal: new AbortController().signal, onProgress: () => {} }
  const fresh = (name: string) => {
    rmSync(join(folder, name), { force: true })
    return join(folder, name)
  }
  const up = await measureInTurn(filePairs, () => timeMs(() => copyToGuest(guest, { ...request, host: source, guest: '/var/tmp/ours' })), () => timeMs(() => sftp(`put ${source} /var/tmp/theirs`)))
  report.ratio(`${fileMib} MiB into the sandbox`, 'sftp', up, fileLimit)
  const down = await measureInTurn(
    filePairs,
    () => timeMs(() => copyFromGuest(guest, { ...request, host: fresh('ours'), guest: '/var/tmp/ours' })),
    () => timeMs(() => sftp(`get /var/tmp/theirs ${fresh('theirs')}`)),
  )
  report.ratio(`${fileMib} MiB out of it`, 'sftp', down, fileLimit)
}

/** OpenSSH with a connection that its clients share. */
async function connectOpenSsh(world: World, id: string): Promise<{ ssh: (args: readonly string[]) => Promise<unknown>; sftp: (batch: string) => Promise<unknown>; close: () => Promise<unknown> }> {
  const config = join(world.folder, 'ssh-config')
  const host = `paddock-${id.slice(0, 12)}`
  const text = (await world.paddock(['ssh-config', id])).stdout
  writeFileSync(config, `${text}  ControlPath ${join(world.folder, 'control')}\n`, { mode: 0o600 })
  const run = (program: string, args: readonly string[], input?: string) => succeeds(exec([program, '-F', config, ...args], { env: world.env, ...(input !== undefined && { input }) }))
  await run('ssh', ['-o', 'ControlMaster=yes', '-o', 'ControlPersist=yes', host, 'true'])
  return {
    ssh: (args) => run('ssh', [...args.slice(0, -1), host, args.at(-1)!]),
    sftp: (batch) => run('sftp', ['-q', '-b', '-', host], `${batch}\n`),
    close: () => run('ssh', ['-O', 'exit', host]),
  }
}

async function succeeds(ended: ReturnType<typeof exec>): Promise<void> {
  const { code, stderr } = await ended
  if (code !== 0) throw new Error(`What is measured ended with ${code}:\n${stderr}`)
}

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const started = nowMs()
  await work()
  return nowMs() - started
}
