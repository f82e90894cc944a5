import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFakePodman, type FakePodman, recording } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import { launchRecord } from '../sandboxes/launch-record.ts'
import { createGuestChannels } from './guest-channels.ts'
import { generateSshKeyPair } from './openssh-key.ts'

let fake: FakePodman
beforeEach(() => {
  fake = createFakePodman()
})
afterEach(() => fake.remove())

it('gives up connecting to a guest that hangs when told to', async () => {
  const [container] = JSON.parse(recording('container-inspect.json'))
  const record = launchRecord(fake.folder, container.Config.Labels['dev.paddock.launch'])!
  for (const [file, text] of [[record.cidFile, container.Id], [record.clientKeyFile, generateSshKeyPair().privateKey], [record.knownHostsFile, 'paddock ssh-ed25519 AAAA']] as const) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  fake.answer([{ on: '^container inspect', stdout: JSON.stringify([container]) }, { on: '^unshare', misbehave: 'hang' }])
  const abort = new AbortController()
  const opening = createGuestChannels(fake.podman, fake.folder).open(container.Id, abort.signal)
  abort.abort()
  await expect(opening).rejects.toMatchObject({ report: { code: 'cancelled' } })
})
