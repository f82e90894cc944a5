import { expect, it } from 'vitest'
import { sshdConfig } from './guest.ts'

const lines = sshdConfig().split('\n')

it.each([
  'ListenAddress 127.0.0.1', 'AllowUsers ai', 'AuthenticationMethods publickey', 'PasswordAuthentication no', 'KbdInteractiveAuthentication no', 'PermitRootLogin no', 'UsePAM no',
  'AllowAgentForwarding no', 'X11Forwarding no', 'AllowTcpForwarding local', 'AllowStreamLocalForwarding no', 'PermitOpen 127.0.0.1:* localhost:* [::1]:*', 'PermitListen none',
  'PermitTunnel no', 'GatewayPorts no', 'PermitUserRC no', 'PermitUserEnvironment no',
])('the guest’s sshd keeps %s', (line) => {
  expect(lines).toContain(line)
})

it('names each setting once: the first would win', () => {
  const names = lines.filter(Boolean).map((line) => line.split(' ')[0])
  expect(new Set(names).size).toBe(names.length)
})
