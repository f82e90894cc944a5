import type { Page } from 'playwright-core'
import { painted } from './painted.ts'

/** What the probe in the page has seen since it was last reset; times on the machine's clock. */
export interface Seen {
  /** The last click or Ctrl-C. */
  actedAt: number
  firstAt: number
  /** Bytes that came over the terminals' ports, and their checksum. */
  bytes: number
  checksum: number
  /** Bytes that xterm.js has parsed, and when it had the last of them. */
  taken: number
  takenAt: number
  /** When a prompt had come, and when it was parsed. */
  promptAt: number
  promptTakenAt: number
  /** When a frame with it was painted. */
  promptPaintedAt: number
}

/** Listens in the page to what the terminals' ports carry, as the page's own code does, and changes none of it. */
export interface TerminalProbe {
  reset(): Promise<void>
  /** Waits for something the probe sees, e.g. `seen.promptAt > 0`. */
  until(condition: string, timeoutMs?: number): Promise<Seen>
}

/** Loads the page anew with the probe in it. */
export async function installProbe(page: Page): Promise<TerminalProbe> {
  await page.addInitScript(probe)
  await page.reload()
  await page.getByRole('navigation').waitFor()
  return {
    reset: () => page.evaluate('probe.reset()'),
    async until(condition, timeoutMs = 60_000) {
      // In one piece: what the page evaluates later its content policy forbids.
      const seen = (await page.evaluate(`new Promise((resolve) => {
        const until = performance.now() + ${timeoutMs}
        const look = () => {
          const { seen } = probe
          if (${condition}) resolve(seen)
          else if (performance.now() > until) resolve(null)
          else setTimeout(look, 10)
        }
        look()
      })`)) as Seen | null
      if (seen === null) throw new Error(`It did not come within ${timeoutMs} ms: ${condition}`)
      return seen
    },
  }
}

/** As `checksumOf`, in the page's own words. */
const probe = `
globalThis.probe = { seen: {}, reset() {
  this.seen = { actedAt: 0, firstAt: 0, bytes: 0, checksum: 0, taken: 0, takenAt: 0, promptAt: 0, promptTakenAt: 0, promptPaintedAt: 0 }
  this.sums = [0, 0]; this.tail = ''; this.promptEnd = Infinity
}, isPromptDrawn() {
  // A graphics card's drawing has no text to look for: there the terminal itself has to do.
  return [...document.querySelectorAll('[data-terminal] .xterm-screen')].some((screen) =>
    screen.offsetParent && (screen.querySelector('.xterm-rows')?.textContent.includes('$') || screen.querySelector('canvas')))
} }
probe.reset()
{
  const now = () => performance.timeOrigin + performance.now()
  const acted = ({ timeStamp }) => { probe.seen.actedAt = performance.timeOrigin + timeStamp }
  addEventListener('click', acted, true)
  addEventListener('keydown', (event) => event.ctrlKey && event.code === 'KeyC' && acted(event), true)
  const see = (text) => {
    // A replay moves the cursor where the program wrote a blank.
    probe.tail = (probe.tail + text.replaceAll('\\u001b[1C', ' ')).slice(-64)
    if (!/\\$ (\\u001b\\[\\?\\d+h)*$/.test(probe.tail) || probe.seen.promptAt > 0) return
    probe.seen.promptAt = now()
    probe.promptEnd = probe.seen.bytes
    ${painted('probe.isPromptDrawn()')}.then((at) => { probe.seen.promptPaintedAt = at })
  }
  const received = ({ data: message }) => {
    if (message?.type === 'replay') return see(message.data)
    if (message?.type !== 'data') return
    const { seen, sums } = probe
    if (seen.bytes === 0) seen.firstAt = now()
    let [a, b] = sums
    for (const byte of message.data) { a = (a + byte) | 0; b = (b + a) | 0 }
    probe.sums = [a, b]
    seen.checksum = b
    seen.bytes += message.data.length
    see(String.fromCharCode(...message.data.subarray(-64)))
  }
  const Channel = MessageChannel
  globalThis.MessageChannel = class extends Channel {
    constructor() {
      super()
      this.port1.addEventListener('message', received)
      const post = this.port1.postMessage
      this.port1.postMessage = function (message, ...rest) {
        if (message?.type === 'taken') {
          const { seen } = probe
          seen.taken += message.bytes
          seen.takenAt = now()
          if (seen.taken >= probe.promptEnd && seen.promptTakenAt === 0) seen.promptTakenAt = seen.takenAt
        }
        return post.call(this, message, ...rest)
      }
    }
  }
}
`
