import type { DesktopDown } from '../../shared/contract/desktop-contract.ts'
import type { DesktopStream } from '../api/api.ts'
import type { Scene } from './scene.ts'

const width = 1280
const height = 800
const bar = 28

/** A VNC server of three colours: enough to see how a desktop lies in its pane. Source: RFC 6143. */
export function openFakeDesktop(how: Scene['desktop'], onMessage: (message: DesktopDown) => void): DesktopStream {
  if (how !== 'draws') {
    if (how !== 'waits') setTimeout(() => onMessage({ type: 'closed', error: how }))
    return { send: () => {}, close: () => {} }
  }
  let step = 0
  const send = (bytes: Uint8Array) => onMessage({ type: 'data', data: bytes })
  const answers: (() => Uint8Array | null)[] = [() => Uint8Array.of(1, 1), () => Uint8Array.of(0, 0, 0, 0), serverInit]
  setTimeout(() => {
    onMessage({ type: 'open' })
    send(new TextEncoder().encode('RFB 003.008\n'))
  })
  let hasDrawn = false
  return {
    send(message) {
      if (message.type !== 'data') return
      const answer = answers[step++]?.()
      if (answer) return send(answer)
      if (hasDrawn) return
      hasDrawn = true
      send(picture())
    },
    close: () => {},
  }
}

function serverInit(): Uint8Array {
  const bytes = new Uint8Array(24)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, width)
  view.setUint16(2, height)
  bytes.set([32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0], 4)
  return bytes
}

/** One update of solid rectangles, each an RRE without parts. */
function picture(): Uint8Array {
  const rectangles = [
    [0, 0, width, height, [0x33, 0x66, 0x66]],
    [0, 0, width, bar, [0x2a, 0x2a, 0x2c]],
    [220, 120, 720, 460, [0x24, 0x28, 0x2e]],
    [220, 120, 720, 26, [0xd8, 0xdb, 0xdd]],
  ] as const
  const bytes = new Uint8Array(4 + rectangles.length * 20)
  const view = new DataView(bytes.buffer)
  view.setUint16(2, rectangles.length)
  rectangles.forEach(([x, y, w, h, colour], at) => {
    const start = 4 + at * 20
    ;[x, y, w, h].forEach((value, index) => view.setUint16(start + index * 2, value))
    view.setInt32(start + 8, 2)
    bytes.set(colour, start + 16)
  })
  return bytes
}
