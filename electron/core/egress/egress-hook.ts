import { receiptEnd } from '../../../shared/domain/egress-receipt.ts'

/** What a hook works with, all paths absolute. */
export interface HookFiles {
  nft: string
  rulesFile: string
  /** Made before, empty, and left to this account. */
  receiptFile: string
  hostNetns: string
}

/**
 * The hook. It runs in the namespaces of the new container before anything of the image, as root of its user namespace,
 * and any failure of its ends the start. The kernel's own list of the rules goes into the receipt. Each program that it
 * starts is waited for at every launch, so there are three.
 */
const script = `
set -fu
refuse() { printf 'refused %s\\n${receiptEnd}\\n' "$1" > "$receipt"; exit 1; }
nft=$1 rules=$2 receipt=$3 host=$4
state=
while IFS= read -r line || [ -n "$line" ]; do state=$state$line; done
netns=$(readlink /proc/self/ns/net) || refuse 'its namespace cannot be read'
[ "$netns" != "$host" ] || refuse 'the network is the host’s own'
said=$("$nft" --file "$rules" 2>&1) || refuse "nft could not load the rules: $said"
listed=$("$nft" list table inet paddock 2>&1) || refuse "nft could not list the rules: $listed"
printf 'netns %s\\nstate %s\\n%s\\n${receiptEnd}\\n' "$netns" "$state" "$listed" > "$receipt" || exit 1
`

/** A hook that hangs ends the start as well. */
const timeoutSeconds = 10

/**
 * The hook as Podman takes it from a hooks folder: oci-hooks(5). It runs at `createContainer`, in the container's
 * namespaces and before its root is entered: config.md of the OCI runtime specification, "CreateContainer Hooks".
 */
export function egressHook({ nft, rulesFile, receiptFile, hostNetns }: HookFiles): string {
  return JSON.stringify({
    version: '1.0.0',
    hook: {
      path: '/bin/sh',
      args: ['sh', '-c', script, 'paddock-egress', nft, rulesFile, receiptFile, hostNetns],
      env: ['PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'LC_ALL=C'],
      timeout: timeoutSeconds,
    },
    when: { always: true },
    stages: ['createContainer'],
  })
}
