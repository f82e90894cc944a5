import { Duplex } from 'node:stream'
import type { ClientChannel } from 'ssh2'
import { expect, it } from 'vitest'
import { typeText } from './type-text.ts'

it('a connection that fails on the way refuses the text, and ends nothing else', async () => {
  const channel = new Duplex({
    read() {},
    // What answers greets, and breaks at the first word to it.
    write: (_data, _encoding, done) => done(new Error('reset')),
  })
  channel.push('RFB 003.008\n')
  const guest = { forward: async () => channel as unknown as ClientChannel, run: async () => { throw new Error('asks for nothing before') } }
  await expect(typeText(guest, 'a')).rejects.toMatchObject({ report: { code: 'desktop-unavailable', message: expect.stringContaining('has ended') } })
})
