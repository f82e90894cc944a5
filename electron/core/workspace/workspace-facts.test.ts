import { describe, expect, it } from 'vitest'
import { parseWorkspaceFacts } from './workspace-facts.ts'

const df = '/dev/vda  263174212 212814200  36918236      86% /home/ai/sandbox\n'
const meminfo = '\nMemTotal:        8131776 kB\nMemFree:          123 kB\nMemAvailable:    6000000 kB\n'

describe('what a sandbox says of its capacity', () => {
  it('is read as numbers', () => {
    expect(parseWorkspaceFacts(`${df}--${meminfo}--\n2147483648\n--\n4\n`)).toEqual({
      diskTotalBytes: 263174212 * 1024,
      diskFreeBytes: 36918236 * 1024,
      memoryTotalBytes: 8131776 * 1024,
      memoryAvailableBytes: 6000000 * 1024,
      memoryLimitBytes: 2147483648,
      cpus: 4,
    })
  })

  it('is unknown where it is not said, or is no limit', () => {
    const none = { diskTotalBytes: null, diskFreeBytes: null, memoryTotalBytes: null, memoryAvailableBytes: null, memoryLimitBytes: null, cpus: null }
    expect(parseWorkspaceFacts('')).toEqual(none)
    expect(parseWorkspaceFacts('rm -rf /\n--\nMemTotal: many kB\n--\nmax\n--\nx')).toEqual(none)
    expect(parseWorkspaceFacts('--\n--\n9223372036854771712\n--\n').memoryLimitBytes).toBeNull()
  })
})
