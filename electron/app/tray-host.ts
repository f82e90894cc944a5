import type { EventEmitter } from 'node:events'

/** Takes in tray icons, and knows whether anybody shows them. Source: freedesktop.org, StatusNotifierWatcher. */
const watcher = { destination: 'org.kde.StatusNotifierWatcher', path: '/StatusNotifierWatcher' }
const bus = { destination: 'org.freedesktop.DBus', path: '/org/freedesktop/DBus', interface: 'org.freedesktop.DBus' }

/** What may change the answer: the watcher comes or goes, or a panel tells it that it does. */
const rules = [
  `type='signal',sender='${bus.destination}',interface='${bus.interface}',member='NameOwnerChanged',arg0='${watcher.destination}'`,
  `type='signal',path='${watcher.path}',interface='${watcher.destination}',member='StatusNotifierHostRegistered'`,
  `type='signal',path='${watcher.path}',interface='${watcher.destination}',member='StatusNotifierHostUnregistered'`,
]
const news = new Set(['NameOwnerChanged', 'StatusNotifierHostRegistered', 'StatusNotifierHostUnregistered'])

/**
 * Tells whether the desktop shows tray icons, now and whenever that changes; Electron makes an icon all the same, and
 * nobody would see it. Returns at once; a bus that is missing or says nothing is one without a tray.
 */
export function followTrayHost(onChange: (isThere: boolean) => void): void {
  void follow(onChange).catch(() => onChange(false))
}

async function follow(onChange: (isThere: boolean) => void): Promise<void> {
  const { Message, sessionBus } = await import('@jellybrick/dbus-next')
  const session = sessionBus()
  // The library's types leave out the event by which it tells that there is no bus.
  ;(session as EventEmitter).on('error', () => onChange(false))
  const get = { ...watcher, interface: 'org.freedesktop.DBus.Properties', member: 'Get', signature: 'ss', body: [watcher.destination, 'IsStatusNotifierHostRegistered'] }
  let lastAsked = 0
  const look = async () => {
    const asked = ++lastAsked
    const owned = await session.call(new Message({ ...bus, member: 'NameHasOwner', signature: 's', body: [watcher.destination] }))
    // Asked only when it is there: a call would start it where it can be started, and nobody asked for that.
    const registered = owned?.body[0] === true ? await session.call(new Message(get)).catch(() => null) : null
    if (asked === lastAsked) onChange((registered?.body[0] as { value?: unknown } | undefined)?.value === true)
  }
  session.on('message', ({ member }) => {
    if (member && news.has(member)) void look().catch(() => onChange(false))
  })
  // Before the first look, so that no change falls between the answer and the first news.
  for (const rule of rules) await session.call(new Message({ ...bus, member: 'AddMatch', signature: 's', body: [rule] }))
  await look()
}
