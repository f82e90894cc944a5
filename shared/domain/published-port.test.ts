import { expect, it } from 'vitest'
import { portProblem } from './published-port.ts'

it.each(['80', '8080:80', ':80', '127.0.0.1:8080:80', '127.0.0.1::80', '[::1]:8080:80', '0.0.0.0:53:53/udp', '3000-3010:4000-4010', '1:65535'])('takes %s', (value) => {
  expect(portProblem(value)).toBeNull()
})

it.each([
  ['99999', '99999 is no port: they go from 1 to 65535'],
  ['127.0.0.1:99999:80', '99999 is no port'],
  ['80:0', '0 is no port'],
  ['65536', '65536 is no port'],
  ['-1', '"-1" is no port; write'],
  ['', '"" is no port; write'],
  ['http', '"http" is no port; write'],
  ['80:80:80:80', 'is no port; write'],
  ['300.0.0.1:80:80', '"300.0.0.1" is no address'],
  ['3010-3000:4010-4000', 'ends before it begins'],
  ['3000-3010:4000-4001', 'more ports on one side'],
  ['80:80/icmp', 'is no port; write'],
])('refuses %j and says why', (value, why) => {
  expect(portProblem(value)).toContain(why)
})
