import { once } from 'node:events'
import { type AddressInfo } from 'node:net'
import ssh2, { type ServerChannel } from 'ssh2'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { type GuestChannel, guestChannel } from './guest-channel.ts'
import type { WayIn } from './way-in.ts'

const way = { sandboxId: 'a'.repeat(64), env: {}, workdir: '/' } as unknown as WayIn
const hostKey = ssh2.utils.generateKeyPairSync('ed25519').private

/** What a guest does with what it is asked. */
let onExec: (channel: ServerChannel, login: ssh2.Connection) => void
let onForward: (accept: () => ServerChannel) => void
let server: ssh2.Server
let guest: GuestChannel

beforeEach(async () => {
  onExec = (channel) => {
    channel.write('done')
    channel.exit(0)
    channel.end()
  }
  server = new ssh2.Server({ hostKeys: [hostKey] }, (login) => {
    login.on('error', () => {})
    login.on('authentication', (context) => context.accept())
    login.on('session', (accept) => accept().on('exec', (acceptExec) => onExec(acceptExec(), login)))
    login.on('tcpip', (accept) => onForward(accept))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = new ssh2.Client()
  client.on('error', () => {})
  client.connect({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, username: 'ai', password: '' })
  await once(client, 'ready')
  const closed = once(client, 'close').then(() => new PaddockError({ code: 'channel-lost', message: 'It broke.' }))
  guest = guestChannel(way, { client, onTraffic: () => {}, waitingBytes: () => 0, closed, destroy: () => client.destroy() })
})

afterEach(async () => {
  vi.useRealTimers()
  guest.close()
  await guest.closed
  server.close()
})

it('runs a program to its end', async () => {
  const { exitCode, stdout } = await guest.run(['true'])
  expect({ exitCode, stdout: stdout.toString() }).toEqual({ exitCode: 0, stdout: 'done' })
})

it('ends the wait for a program whose guest tells neither its end nor the close of its channel', async () => {
  onExec = (_channel, login) => {
    const { _handlers } = (login as unknown as { _protocol: { _handlers: Record<string, unknown> } })._protocol
    _handlers.CHANNEL_CLOSE = () => {}
  }
  expect(await guest.run(['sleep', '1000'], { timeoutMs: 10 })).toMatchObject({ isTimedOut: true, exitCode: 137 })
})

it('gives up one port that does not answer, not the connection, and closes it if it opens late', async () => {
  const asked = new Promise<() => ServerChannel>((resolve) => (onForward = resolve))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const forward = expect(guest.forward(3000)).rejects.toThrow('does not answer')
  const accept = await asked
  vi.advanceTimersByTime(20_000)
  await forward
  vi.useRealTimers()
  const late = accept()
  late.resume()
  await once(late, 'close')
  expect((await guest.run(['true'])).exitCode).toBe(0)
})

it('hangs nothing on the end of the connection for each program', async () => {
  const then = vi.spyOn(guest.closed, 'then')
  for (let count = 0; count < 5; count++) await guest.run(['true'])
  expect(then).not.toHaveBeenCalled()
})

it('tells those who wait, and those who ask later, that the connection broke', async () => {
  onExec = (_channel, login) => login.end()
  await expect(guest.run(['true'])).rejects.toMatchObject({ report: { code: 'channel-lost', message: 'It broke.' } })
  await expect(guest.run(['true'])).rejects.toMatchObject({ report: { code: 'channel-lost', message: 'It broke.' } })
})
