/** What Podman or an OCI runtime is known to say, and what to do about it. The first match counts. */
const knownFailures: { says: RegExp; hint: string }[] = [
  { says: /`?\/dev\/kvm`? unavailable/, hint: 'This host has no /dev/kvm: switch virtualisation on in its firmware, or use --isolation container.' },
  { says: /Error creating the Kvm object: Error\(13\)/, hint: 'You may not open /dev/kvm: sudo usermod --append --groups kvm "$USER", then log in again.' },
  { says: /libkrunfw\.so/, hint: 'libkrunfw is missing: install your distribution’s libkrunfw package.' },
  { says: /libkrun\.so/, hint: 'libkrun is missing: install your distribution’s libkrun package.' },
  { says: /runtime "krun" not found/, hint: 'krun is missing: install crun-krun (Fedora) or krun (Arch), or use --isolation container.' },
  { says: /HANDLER_CONFIGURE_AFTER_MOUNTS: start passt/, hint: 'This passt needs crun 1.30 or later for krun.use_passt=1: update crun, or set krun.use_passt=0 in the label.' },
  { says: /cgroups in hybrid mode not supported/, hint: 'Start the host with pure control groups v2 (kernel argument systemd.unified_cgroup_hierarchy=1).' },
  { says: /newuidmap|no subuid ranges|cannot find UID\/GID for user/, hint: 'Your account has no subordinate ids: sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 "$USER", then podman system migrate.' },
  { says: /no space left on device/i, hint: 'The disk is full: "paddock prune" frees what Paddock no longer needs.' },
  { says: /database is locked|could not get runtime.*lock|resource temporarily unavailable/i, hint: 'Another Podman holds the storage; wait for it to finish and try again.' },
  { says: /Cannot connect to Podman|unable to connect to Podman/i, hint: 'A remote Podman is configured (CONTAINER_HOST or a default connection) and does not answer; Paddock needs the local one.' },
  { says: /pinging container registry|dial tcp|no such host|i\/o timeout|TLS handshake/i, hint: 'The network or a registry did not answer; behind a proxy set http_proxy and https_proxy.' },
  { says: /consider removing the image to resolve the issue/, hint: 'A program that wrote an image was killed. Podman works again without the image that it names: podman rmi --force IMAGE.' },
  { says: /statfs .*: no such file or directory/, hint: 'A folder that the run label mounts does not exist.' },
  { says: /permission denied.*\/dev\/net\/tun|Failed to open\(\) \/dev\/net\/tun/, hint: 'You may not open /dev/net/tun: sudo chmod 666 /dev/net/tun.' },
]

/** A hint for a failed Podman call, or undefined when nothing is known. Pure. */
export function hintFor(exitCode: number, stderr: string): string | undefined {
  const known = knownFailures.find(({ says }) => says.test(stderr))
  if (known) return known.hint
  return exitCode === 139 ? 'The microVM’s monitor crashed; "paddock doctor" checks /dev/kvm.' : undefined
}
