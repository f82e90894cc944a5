import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { IdleChannels } from '../../core/guest/idle-channels.ts'
import { type Forward, forwardPort, listPorts } from '../../core/guest/ports.ts'
import type { PanelHandlers } from '../panel-handlers.ts'

/** More than a person keeps apart. */
const maxForwards = 100

/** A forward, and when the channel that it goes through is over. */
type HeldForward = Forward & { ended: Promise<unknown> }

/** Ports of sandboxes, and the forwards of this app: they go on when the page goes, and end with their sandbox. */
export function createPortsHandlers(channels: IdleChannels): Pick<PanelHandlers, 'ports.list' | 'ports.forward' | 'ports.stop'> {
  const forwards = new Map<string, Promise<HeldForward>>()
  const keyOf = (id: string, port: number) => `${id} ${port}`

  const open = async (id: string, port: number): Promise<HeldForward> => {
    const { channel, release } = await channels.hold(id)
    try {
      // The same number is what one would type; where it is taken, any will do.
      const forward = await forwardPort(channel, port, port).catch((error: unknown) => {
        if (error instanceof PaddockError) return forwardPort(channel, port, 0)
        throw error
      })
      return { ...forward, ended: channel.closed, close: () => (forward.close(), release()) }
    } catch (error) {
      release()
      throw error
    }
  }
  /** Unless another one has taken its place. */
  const forget = (key: string, forwarding: Promise<HeldForward> | undefined) => {
    if (forwards.get(key) === forwarding) forwards.delete(key)
    void forwarding?.then(({ close }) => close(), () => {})
  }

  return {
    async 'ports.list'({ id }) {
      const listening = await channels.use(id, listPorts)
      const own = [...forwards].filter(([key]) => key.startsWith(`${id} `))
      const opened = await Promise.all(own.map(([, forwarding]) => forwarding.catch(() => null)))
      return { listening, forwards: opened.flatMap((forward) => (forward ? { port: forward.port, localPort: forward.localPort } : [])) }
    },
    async 'ports.forward'({ id, port }) {
      const key = keyOf(id, port)
      const known = forwards.get(key)
      if (!known && forwards.size >= maxForwards) throw new PaddockError({ code: 'usage', message: `There are ${maxForwards} forwards already.`, hint: 'Stop some first.' })
      const forwarding = known ?? open(id, port)
      if (!known) {
        forwards.set(key, forwarding)
        forwarding.then(({ ended }) => ended).then(() => forget(key, forwarding), () => forget(key, forwarding))
      }
      const { localPort } = await forwarding
      return { port, localPort }
    },
    async 'ports.stop'({ id, port }) {
      const key = keyOf(id, port)
      forget(key, forwards.get(key))
      return {}
    },
  }
}
