import { describe, expect, it } from 'vitest'
import { parseListeningPorts } from './listening-ports.ts'

const header = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'
const row = (local: string, state = '0A', remote = local.length > 13 ? `${'0'.repeat(32)}:0000` : '00000000:0000') => `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  1000        0 1234 1\n`
const ports = (...rows: string[]) => parseListeningPorts(header + rows.join(''))

describe('what listens', () => {
  it.each([
    ['0100007F:0BB8', { port: 3000, address: '127.0.0.1' }],
    ['00000000:0050', { port: 80, address: '0.0.0.0' }],
    ['0200A8C0:1F90', { port: 8080, address: '192.168.0.2' }],
    ['00000000000000000000000000000000:0BB8', { port: 3000, address: '::' }],
    ['00000000000000000000000001000000:0BB8', { port: 3000, address: '::1' }],
    ['0000000000000000FFFF00000100007F:0BB8', { port: 3000, address: '127.0.0.1' }],
    ['B80D012000000000000000000A000000:0BB8', { port: 3000, address: '2001:db8::a' }],
  ])('%s', (local, expected) => {
    expect(ports(row(local))).toEqual([{ ...expected, process: null }])
  })

  it('leaves out connections, and Paddock’s own sshd', () => {
    expect(ports(row('0100007F:0BB8', '01'), row('0100007F:08AE'), row('0100007F:0BB8', '0A', '0100007F:1234'))).toEqual([])
    expect(ports(row('00000000:08AE'))).toEqual([{ port: 2222, address: '0.0.0.0', process: null }])
  })

  it('names its process, where the sandbox tells it', () => {
    const [known, other] = [row('0100007F:0BB8'), row('0100007F:0BB9').replace('1234', '99')]
    expect(parseListeningPorts(`${header}${known}${other}owner 1234 17  node /srv/a b.js \nowner x 1 y\nowner 5 1 unasked\n`).map(({ process }) => process)).toEqual([
      { pid: 17, command: 'node /srv/a b.js' },
      null,
    ])
    // A row that ends early is still a port.
    expect(parseListeningPorts('   0: 0100007F:0BB8 00000000:0000 0A ')).toMatchObject([{ port: 3000, process: null }])
  })

  it('names each once, by port', () => {
    expect(ports(row('0100007F:1F90'), row('0100007F:0050'), row('0100007F:1F90')).map(({ port }) => port)).toEqual([80, 8080])
  })

  it('makes nothing of nonsense, and not too much of too much', () => {
    expect(parseListeningPorts('0: zz:00 0A\n\0\u001b[31m')).toEqual([])
    expect(ports(...Array.from({ length: 5_000 }, (_, at) => row(`0100007F:${(at + 10_000).toString(16).toUpperCase().padStart(4, '0')}`)))).toHaveLength(1_000)
  })
})
