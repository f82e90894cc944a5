import { expect, it } from 'vitest'
import { callbackPort, loopbackPort } from './callback-port.ts'

const login = (redirect: string) => `https://login.example/authorize?client_id=x&redirect_uri=${encodeURIComponent(redirect)}&state=y`

it.each([
  ['http://localhost:54545/callback', 54_545],
  ['http://127.0.0.1:1455/auth/callback?x=1', 1_455],
  ['http://[::1]:8080', 8_080],
  ['http://localhost/callback', 80],
])('is where a program waits: %s', (redirect, port) => {
  expect(callbackPort(login(redirect))).toBe(port)
})

it.each([login('https://example.com/callback'), login('http://localhost:0/'), login('http://localhost:99999/'), login('https://localhost:8443/'), login('http://localhost.example:99/'), login('nonsense'), 'https://example.com', 'no address'])('is none for %s', (address) => {
  expect(callbackPort(address)).toBeNull()
})

it('is that of an address on the loopback itself', () => {
  expect(['http://localhost:3000/a', 'http://127.0.0.1:5173', 'https://localhost:3000', 'http://example.org:3000', 'localhost:3000'].map(loopbackPort)).toEqual([3_000, 5_173, null, null, null])
})
