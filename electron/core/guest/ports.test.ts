import { describe, expect, it } from 'vitest'
import type { GuestOutput } from './guest-channel.ts'
import { listPorts } from './ports.ts'

const heading = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'
const answering = (output: Partial<GuestOutput>) => ({
  sandboxId: 'a'.repeat(64),
  run: async (): Promise<GuestOutput> => ({ exitCode: 0, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), isCut: false, isTimedOut: false, ...output }),
})

describe('ports that listen in a sandbox', () => {
  it('are none when its tables are empty, with or without IPv6', async () => {
    expect(await listPorts(answering({ stdout: Buffer.from(heading) }))).toEqual([])
    expect(await listPorts(answering({ stdout: Buffer.from(heading), exitCode: 1, stderr: Buffer.from('cat: /proc/net/tcp6: No such file or directory\n') }))).toEqual([])
  })

  it('are told without their processes where there is no perl', async () => {
    const asked: string[] = []
    const guest = {
      sandboxId: 'a'.repeat(64),
      run: async ([program]: readonly [string, ...string[]]): Promise<GuestOutput> => {
        asked.push(program)
        return { exitCode: program === 'cat' ? 0 : 127, stdout: Buffer.from(program === 'cat' ? `${heading}   0: 0100007F:0BB8 00000000:0000 0A 0:0 0:0 0 1000 0 7 1\n` : ''), stderr: Buffer.alloc(0), isCut: false, isTimedOut: false }
      },
    }
    expect(await listPorts(guest)).toEqual([{ port: 3000, address: '127.0.0.1', process: null }])
    expect(asked).toEqual(['/usr/bin/perl', 'cat'])
  })

  it.each([
    ['it took longer', { stdout: Buffer.from(heading), isTimedOut: true, exitCode: 137 }],
    ['its table has more', { stdout: Buffer.from(heading), isCut: true, exitCode: 137 }],
    ['cat: not found', { exitCode: 127, stderr: Buffer.from('cat: not found\n') }],
    ['it ended with 1', { exitCode: 1 }],
  ])('are not said to be none when %s', async (why, output) => {
    await expect(listPorts(answering(output))).rejects.toMatchObject({ report: { code: 'channel-lost', message: expect.stringContaining(why) } })
  })
})
