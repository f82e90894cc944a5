import type { ClientChannel } from 'ssh2'

/** Of ssh2's channel, what its types leave out. Source: ssh2's lib/Channel.js. */
interface Internals {
  incoming: { window: number }
  outgoing: { id: number; state: string }
  _client: { _protocol: { channelWindowAdjust(id: number, bytes: number): void } }
}

/**
 * Has the guest send no more than so many bytes ahead of who reads: ssh2 lets it be 2 to 4 MiB, which a screen would still
 * draw long after Ctrl-C. What ssh2 has granted already, 2 MiB at the most, is used up first. Source: RFC 4254, 5.2.
 * @returns to be called with the bytes that were taken
 */
export function limitLead(channel: ClientChannel, bytes: number): (taken: number) => void {
  const { incoming, outgoing, _client } = channel as unknown as Internals
  let ahead = incoming.window + channel.readableLength
  // ssh2 counts down and grants more by itself near the end, which is never.
  incoming.window = Number.MAX_SAFE_INTEGER
  return (taken) => {
    ahead -= taken
    const more = bytes - ahead
    if (more < bytes / 2 || (outgoing.state !== 'open' && outgoing.state !== 'eof')) return
    ahead += more
    _client._protocol.channelWindowAdjust(outgoing.id, more)
  }
}
