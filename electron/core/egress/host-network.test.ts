import { expect, it } from 'vitest'
import { gateways4, gateways6, readHostNetwork } from './host-network.ts'

const table = (text: string) => text.split('\n').map((line) => line.trim().split(/\s+/))

it('reads the gateways of IPv4', () => {
  const routes = `Iface	Destination	Gateway 	Flags	RefCnt	Use	Metric	Mask		MTU	Window	IRTT
eth0	00000000	0100A8C0	0003	0	0	0	00000000	0	0	0
eth0	0000A8C0	00000000	0001	0	0	0	00FFFFFF	0	0	0
tun0	0000000A	0100A8C0	0003	0	0	0	000000FF	0	0	0
`
  expect(gateways4(table(routes))).toEqual(['192.168.0.1'])
  expect(gateways4(table(''))).toEqual([])
})

it('reads the gateways of IPv6', () => {
  const routes = `00000000000000000000000000000000 00 00000000000000000000000000000000 00 20010db8000000000000000000000001 00000400 00000001 00000000 00000003     eth0
fe800000000000000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0
`
  expect(gateways6(table(routes))).toEqual(['2001:0db8:0000:0000:0000:0000:0000:0001'])
})

it('names this process’s namespace', async () => {
  expect((await readHostNetwork()).netns).toMatch(/^net:\[\d+\]$/)
})
