import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createFakePodman, type Rule } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import type { ImageFacts } from '../engine/images.ts'
import { archiveImage, baseImageCandidates, defaultBaseImage, archiveOf, obtainBaseImage, pickBaseImage } from './base-image.ts'

const folder = mkdtempSync(join(tmpdir(), 'base-image-test-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const archive = { id: 'debian', suite: 'trixie' } as const
const own = archiveImage(archive)
const stored = (...names: string[]) => new Map(names.map((name): [string, ImageFacts] => [name, { id: name, created: '', labels: {} }]))

describe('pickBaseImage', () => {
  it.each([
    ['the default where it is there', undefined, archive, [defaultBaseImage, own], defaultBaseImage],
    ['the archive’s where only that is there', undefined, archive, [own], own],
    ['none where none is there', undefined, archive, [], undefined],
    ['none on a host without an archive', undefined, null, [own], undefined],
    ['the person’s choice, there or not', 'fedora', archive, [defaultBaseImage, own], 'fedora'],
    ['the default when the person chose it, there or not', defaultBaseImage, archive, [own], undefined],
  ])('takes %s', (_what, chosen, from, there, picked) => {
    expect(pickBaseImage(baseImageCandidates(chosen, from), stored(...there))).toBe(picked)
  })
})

describe('archiveOf', () => {
  it.each([
    ['PRETTY_NAME="Debian"\nID=debian\nVERSION_CODENAME=bookworm\n', { id: 'debian', suite: 'trixie' }],
    ['ID="ubuntu"\nVERSION_CODENAME=noble\n', { id: 'ubuntu', suite: 'noble' }],
    ['ID=ubuntu\n', null],
    ['ID=fedora\nVERSION_CODENAME=""\n', null],
    ['ID_LIKE=debian\nID=linuxmint\nVERSION_CODENAME=xia\n', null],
    ['', null],
  ])('%j: %j', async (text, expected) => {
    const file = join(folder, 'os-release')
    writeFileSync(file, text)
    expect(await archiveOf(file)).toEqual(expected)
  })

  it('is none without the file', async () => {
    expect(await archiveOf(join(folder, 'absent'))).toBeNull()
  })
})

describe('obtainBaseImage', () => {
  const obtain = async (chosen: string | undefined, rules: Rule[], signal = new AbortController().signal, isHere = false) => {
    const fake = createFakePodman(rules)
    try {
      return await obtainBaseImage(fake.podman, chosen, { signal, onProgress: () => {} }, isHere)
    } finally {
      fake.remove()
    }
  }

  it('pulls the default, or what the person chose', async () => {
    expect(await obtain(undefined, [{ on: `^pull .* ${defaultBaseImage}$` }])).toBe(defaultBaseImage)
    expect(await obtain('fedora:42', [{ on: '^pull .* fedora:42$' }])).toBe('fedora:42')
  })

  it('takes nothing in place of what the person chose, and says why that cannot be had', async () => {
    await expect(obtain('fedora:42', [{ on: '^pull ', exit: 125, stderr: { recording: 'pull-unreachable.stderr' } }])).rejects.toMatchObject({
      report: { code: 'base-image-unavailable', message: expect.stringMatching(/^The base image fedora:42 is not on this machine and cannot be pulled: .*no such host\.$/), exitCode: 125 },
    })
  })

  it('leaves the one that is here where no newer one can be had, and says so', async () => {
    const unreachable: Rule[] = [{ on: '^pull ', exit: 125, stderr: { recording: 'pull-unreachable.stderr' } }]
    await expect(obtain(undefined, unreachable, undefined, true)).rejects.toMatchObject({
      report: { code: 'base-image-unavailable', message: expect.stringMatching(new RegExp(`^A newer ${defaultBaseImage} cannot be pulled: .*no such host\\.$`)), hint: expect.stringContaining('was kept') },
    })
    expect(await obtain('localhost/mine:1', [], undefined, true)).toBe('localhost/mine:1')
  })

  it('stops at Ctrl-C', async () => {
    await expect(obtain(undefined, [{ on: '^pull ', misbehave: 'hang' }], AbortSignal.timeout(300))).rejects.toMatchObject({ report: { code: 'cancelled' } })
  })
})
