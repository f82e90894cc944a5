import type { RawChannel } from '@novnc/novnc'
import type { DesktopDown } from '../../../shared/contract/desktop-contract.ts'
import type { ErrorReport } from '../../../shared/errors/paddock-error.ts'
import type { Api } from '../../api/api.ts'

/** What noVNC takes for a WebSocket, over a desktop's port. */
export interface ScreenChannel extends RawChannel {
  /** Bytes that have come so far. */
  bytes(): number
  /** Why it was closed from the other side; null while it is open and when it was closed here. */
  reason(): ErrorReport | null
}

/** For so long what came is drawn before the window has its turn again, however much there is; a piece is drawn to its end. */
const drawMs = 12

/** Opens the way to a sandbox's desktop. What came is drawn piece by piece, and asked for only as it is drawn. */
export function openScreenChannel(api: Api, sandboxId: string): ScreenChannel {
  const waiting: Uint8Array<ArrayBuffer>[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let count = 0
  let end: { error: ErrorReport | null } | null = null

  const stream = api.openDesktop(sandboxId, (message: DesktopDown) => {
    if (channel.readyState === 'closed') return
    if (message.type === 'open') {
      channel.readyState = 'open'
      channel.onopen?.()
    } else if (message.type === 'data') {
      count += message.data.byteLength
      waiting.push(message.data as Uint8Array<ArrayBuffer>)
      timer ??= setTimeout(draw)
    } else {
      end = message
      timer ??= setTimeout(draw)
    }
  })

  const draw = () => {
    timer = undefined
    const until = performance.now() + drawMs
    let bytes = 0
    for (let data = waiting.shift(); data; data = waiting.shift()) {
      channel.onmessage?.({ data: data.byteLength === data.buffer.byteLength ? data.buffer : data.slice().buffer })
      if (channel.readyState === 'closed') return
      bytes += data.byteLength
      if (performance.now() > until) break
    }
    if (bytes > 0) stream.send({ type: 'taken', bytes })
    if (waiting.length > 0) timer = setTimeout(draw)
    else if (end) close()
  }

  const close = () => {
    if (channel.readyState === 'closed') return
    channel.readyState = 'closed'
    clearTimeout(timer)
    waiting.length = 0
    stream.close()
    // As a WebSocket does: who closes it is not in the middle of hearing of it.
    setTimeout(() => channel.onclose?.({}))
  }

  const channel: ScreenChannel = {
    binaryType: 'arraybuffer',
    protocol: '',
    readyState: 'connecting',
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
    // noVNC writes over what it has sent.
    send: (data) => stream.send({ type: 'data', data: data.slice() }),
    close,
    bytes: () => count,
    reason: () => end?.error ?? null,
  }
  return channel
}
