import { generateKeyPairSync, randomBytes } from 'node:crypto'

/** An Ed25519 key pair in OpenSSH's own formats. */
export interface SshKeyPair {
  /** PEM, unencrypted: what `ssh-keygen` writes. */
  privateKey: string
  /** `ssh-ed25519 AAAA…`, without a comment or a line end. */
  publicKey: string
}

const keyType = 'ssh-ed25519'
/** The cipher "none" has a block of 8 bytes, to which the private part is padded. */
const blockLength = 8
const pemLineLength = 70

/**
 * Makes a key pair. Written here because sshd before OpenSSH 9.6 does not read Node's own format, and ssh2, which could
 * make one, takes longer to load than everything else that a launch does.
 * Source: OpenSSH's PROTOCOL.key, RFC 8709.
 */
export function generateSshKeyPair(): SshKeyPair {
  const { privateKey } = generateKeyPairSync('ed25519')
  const jwk = privateKey.export({ format: 'jwk' })
  const seed = Buffer.from(jwk.d!, 'base64url')
  const point = Buffer.from(jwk.x!, 'base64url')
  const publicBlob = Buffer.concat([string(keyType), string(point)])
  const check = randomBytes(4)
  const secret = Buffer.concat([check, check, publicBlob, string(Buffer.concat([seed, point])), string('')])
  const padding = Buffer.from(Array.from({ length: (blockLength - (secret.length % blockLength)) % blockLength }, (_, at) => at + 1))
  const blob = Buffer.concat([Buffer.from('openssh-key-v1\0'), string('none'), string('none'), string(''), uint32(1), string(publicBlob), string(Buffer.concat([secret, padding]))])
  return { privateKey: pem(blob), publicKey: `${keyType} ${publicBlob.toString('base64')}` }
}

function pem(blob: Buffer): string {
  const lines = blob.toString('base64').match(new RegExp(`.{1,${pemLineLength}}`, 'g'))!
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n')
}

/** A string of RFC 4251: its length, then its bytes. */
function string(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint32(bytes.length), bytes])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
