import { describe, expect, it } from 'vitest'
import { capsOf, noCaps } from './caps.ts'
import { parseRunLabel } from './run-label.ts'

const caps = (options: string) => capsOf(parseRunLabel(`podman run ${options} IMAGE`).options)

describe('capsOf', () => {
  it('reads all four from the label', () => {
    const label = '--annotation krun.ram_mib=8192 --annotation=krun.cpus=4 --tmpfs /tmp:rw,noexec,size=2048m --pids-limit 1024'
    expect(caps(label)).toEqual({ ramMib: 8192, cpus: 4, tmpSize: '2048m', pids: 1024 })
  })

  it('has none where the label sets none', () => {
    expect(caps('--rm')).toEqual(noCaps)
  })

  it.each([
    ['--annotation krun.ram_mib=1 --annotation krun.ram_mib=2', { ramMib: 2 }],
    ['--pids-limit 5 --pids-limit 6', { pids: 6 }],
    ['--pids-limit -1', { pids: null }],
    ['--pids-limit 0', { pids: null }],
    ['--annotation krun.ram_mib=2g', { ramMib: null }],
    ['--annotation krun.cpus=1.5', { cpus: null }],
    ['--annotation krun.cpus=', { cpus: null }],
    ['--annotation krun.cpus', { cpus: null }],
    ['--annotation other.cpus=3', { cpus: null }],
    ['--tmpfs /tmp:size=64k,noexec', { tmpSize: '64k' }],
    ['--tmpfs /tmp:noexec', { tmpSize: null }],
    ['--tmpfs /tmp', { tmpSize: null }],
    ['--tmpfs /var/tmp:size=1m', { tmpSize: null }],
    ['--tmpfs /run:size=1m --tmpfs /tmp:size=2m', { tmpSize: '2m' }],
    ['--tmpfs /tmp:oversize=1m', { tmpSize: null }],
  ])('%s', (options, expected) => {
    expect(caps(options)).toMatchObject(expected)
  })
})
