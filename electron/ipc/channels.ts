/** Names of the channels between the preload script and the main process. */
export const channels = {
  call: 'paddock:call',
  cancel: 'paddock:cancel',
  progress: 'paddock:progress',
  event: 'paddock:event',
  terminal: 'paddock:terminal',
  desktop: 'paddock:desktop',
  offer: 'paddock:offer',
} as const
