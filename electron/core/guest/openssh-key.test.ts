import { sign, verify } from 'node:crypto'
import ssh2 from 'ssh2'
import { expect, it } from 'vitest'
import { generateSshKeyPair } from './openssh-key.ts'

it('makes keys that an independent reader takes, and whose halves belong together', () => {
  const { privateKey, publicKey } = generateSshKeyPair()
  const read = ssh2.utils.parseKey(privateKey)
  if (read instanceof Error) throw read
  expect(read.type).toBe('ssh-ed25519')
  expect(`ssh-ed25519 ${read.getPublicSSH().toString('base64')}`).toBe(publicKey)
  const data = Buffer.from('to be signed')
  expect(verify(null, data, read.getPublicPEM(), sign(null, data, read.getPrivatePEM()))).toBe(true)
})

it('makes another pair each time', () => {
  expect(generateSshKeyPair().privateKey).not.toBe(generateSshKeyPair().privateKey)
})
