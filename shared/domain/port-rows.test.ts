import { expect, it } from 'vitest'
import { commandInWords, portRows } from './port-rows.ts'

const at = (port: number, address: string, command?: string) => ({ port, address, process: command === undefined ? null : { pid: 1, command } })
const published = (sandboxPort: number, hostPort: number, host = '127.0.0.1', protocol = 'tcp') => ({ host, hostPort, sandboxPort, protocol })

it('makes one row of a port that listens on several addresses', () => {
  expect(portRows([at(8080, '::'), at(8080, '0.0.0.0', '/usr/bin/node server.js'), at(3000, '127.0.0.1')], [], [])).toMatchObject([
    { port: 3000, addresses: ['127.0.0.1'], process: null, local: null, by: null, canForward: true },
    { port: 8080, addresses: ['::', '0.0.0.0'], process: 'node server.js' },
  ])
})

it('keeps what is forwarded when nothing listens there any more', () => {
  expect(portRows([], [{ port: 3000, localPort: 41_000 }], [])).toMatchObject([{ port: 3000, addresses: [], local: '127.0.0.1:41000', by: 'forward', canForward: false }])
})

it('tells what the profile publishes, as this machine reaches it; the window’s own forward goes first', () => {
  const rows = portRows([at(3000, '0.0.0.0'), at(53, '0.0.0.0'), at(9000, '::')], [{ port: 9000, localPort: 9000 }], [published(3000, 8000, ''), published(53, 5300, '127.0.0.1', 'udp'), published(9000, 1)])
  expect(rows).toMatchObject([
    { port: 53, local: null },
    { port: 3000, local: '127.0.0.1:8000', by: 'label' },
    { port: 9000, local: '127.0.0.1:9000', by: 'forward' },
  ])
})

it('writes an IPv6 address as a browser takes it', () => {
  expect(portRows([at(3000, '::')], [], [published(3000, 8080, '::1')])).toMatchObject([{ local: '[::1]:8080' }])
})

it.each([['127.0.0.1', true], ['127.0.1.1', true], ['::1', true], ['0.0.0.0', true], ['10.0.2.100', false], ['fe80::1', false]])('forwards to %s: %s', (address, canForward) => {
  expect(portRows([at(3000, address)], [], [])[0]).toMatchObject({ canForward })
})

it('offers no browser for what is known to speak something else', () => {
  expect(portRows([at(5173, '::1'), at(5432, '::1')], [], []).map(({ isWeb }) => isWeb)).toEqual([true, false])
})

it('calls a command by its program, on one line', () => {
  expect(commandInWords('/usr/bin/python3 -m http.server 8000')).toBe('python3 -m http.server 8000')
  expect(commandInWords(`/a/b ${'x'.repeat(200)}`)).toHaveLength(80)
})
