import { expect, it } from 'vitest'
import { countChannelConnections } from './channel-connections.ts'

const row = (local: string, remote: string, state: string) => `   0: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000  1000        0 1`

it('counts those who are connected to the guest channel, once each', () => {
  const text = [
    '  sl  local_address rem_address   st tx_queue rx_queue',
    row('0100007F:08AE', '00000000:0000', '0A'),
    row('0100007F:08AE', '0100007F:C350', '01'),
    row('0100007F:C350', '0100007F:08AE', '01'),
    row('0100007F:08AE', '0100007F:C351', '06'),
    row('0100007F:1F90', '0100007F:C352', '01'),
  ].join('\n')
  expect(countChannelConnections(text)).toBe(1)
  expect(countChannelConnections('')).toBe(0)
})
