import { describe, expect, it } from 'vitest'
import { recording } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import { hintFor } from './hints.ts'

describe('hintFor', () => {
  // Word for word what Podman and krun said on real machines.
  it.each([
    [1, 'Error: OCI runtime error: krun: [libcrun:krun]: `/dev/kvm` unavailable', /no \/dev\/kvm.*--isolation container/],
    [139, 'Error creating the Kvm object: Error(13)', /usermod --append --groups kvm/],
    [1, "Couldn't find or load libkrunfw.so.5\ncould not start krun", /libkrunfw is missing/],
    [127, 'Error: krun: failed to open `libkrun.so.1`', /libkrun is missing/],
    [125, recording('runtime-missing.stderr'), /crun-krun \(Fedora\) or krun \(Arch\)/],
    [1, 'Error: HANDLER_CONFIGURE_AFTER_MOUNTS: start passt', /crun 1\.30 or later/],
    [125, recording('pull-unreachable.stderr'), /network or a registry did not answer/],
    [125, 'Error: statfs /nonexistent: no such file or directory', /folder that the run label mounts does not exist/],
    [125, 'Error: cannot find UID/GID for user me: no subuid ranges found for user "me" in /etc/subuid', /subordinate ids/],
    [125, 'Error: creating container storage: mkdir /x: no space left on device', /disk is full/],
    [125, 'Error: database is locked', /Another Podman holds the storage/],
    [125, 'Cannot connect to Podman. Please verify your connection to the Linux system', /remote Podman/],
    [126, 'Failed to open() /dev/net/tun: Permission denied', /\/dev\/net\/tun/],
    [125, 'Error: locating item named "manifest" for image with ID "9d86" (consider removing the image to resolve the issue): file does not exist', /podman rmi --force IMAGE/],
    [125, 'Error: crun: cgroups in hybrid mode not supported', /control groups v2/],
  ])('%i %s', (code, stderr, hint) => {
    expect(hintFor(code, `some warning\n${stderr}\n`)).toMatch(hint)
  })

  it('tells a crashed monitor from its exit code alone', () => {
    expect(hintFor(139, '')).toMatch(/monitor crashed/)
  })

  it.each([[1, ''], [125, 'Error: something new'], [137, 'libfoo.so'], [125, 'Error: statfs /x: permission denied']])('knows nothing of %i %j', (code, stderr) => {
    expect(hintFor(code, stderr)).toBeUndefined()
  })
})
