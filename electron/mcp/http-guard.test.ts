import { describe, expect, it } from 'vitest'
import { refuseRequest } from './http-guard.ts'

const options = { port: 7440, token: 'right', allowedHosts: ['box.example.net'] }
const good = { host: '127.0.0.1:7440', origin: undefined, authorization: 'Bearer right' }
const statusOf = (change: Partial<Record<keyof typeof good, string | undefined>>) => refuseRequest({ ...good, ...change }, options)?.status ?? 200

describe('a request', () => {
  it.each(['127.0.0.1:7440', 'localhost:7440', 'LOCALHOST:7440', '[::1]:7440', 'box.example.net'])('to %s comes in', (host) => {
    expect(statusOf({ host })).toBe(200)
  })

  it.each([undefined, '', '127.0.0.1', 'localhost:80', 'evil.example:7440', '127.0.0.1:7440.evil.example', 'box.example.net.evil.example', '0.0.0.0:7440'])('to %s does not', (host) => {
    expect(statusOf({ host })).toBe(403)
  })

  it.each(['http://localhost:7440', 'http://127.0.0.1:7440', 'https://box.example.net'])('from a page of %s comes in', (origin) => {
    expect(statusOf({ origin })).toBe(200)
  })

  it.each(['null', '', 'http://localhost:3000', 'https://localhost:7440', 'http://box.example.net', 'https://evil.example', 'http://localhost:7440.evil.example'])('from a page of "%s" does not, token or no token', (origin) => {
    expect(statusOf({ origin })).toBe(403)
  })

  it.each([undefined, '', 'right', 'Bearer', 'Bearer ', 'Basic right', 'Bearer wrong', 'Bearer right wrong', 'Bearer rightright', 'Bearer righ'])('with the authorization "%s" does not', (authorization) => {
    expect(statusOf({ authorization })).toBe(401)
  })

  it('names its scheme as it likes', () => {
    expect(statusOf({ authorization: 'bearer right' })).toBe(200)
  })
})
