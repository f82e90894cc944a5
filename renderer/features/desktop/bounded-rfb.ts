import RFB, { type RawChannel } from '@novnc/novnc'
import { isDrawable } from '../../../shared/domain/desktop.ts'
import { decodeJpeg } from './decode-jpeg.ts'
import { jpegSize } from './jpeg-size.ts'
import { createPaintBudget } from './paint-budget.ts'
import { PromptRfb } from './prompt-rfb.ts'
import { createTextBudget } from './text-budget.ts'

/** The encodings that Xvnc has and that are asked for; what decodes the others is taken out. Source: RFC 6143, 7.7; the RFB protocol's registry. */
const encodings = new Set([0 /* Raw */, 2 /* RRE */, 5 /* Hextile */, 7 /* Tight */, 16 /* ZRLE */])
/** Cursor, and VMware's cursor. */
const cursors = new Set([-239, 0x574d5664])
const desktopName = -307
const zrle = 16
const noSecurity = 1

const maxCursorSide = 256
const maxNameBytes = 4_096
const maxClipboardBytes = 1024 * 1024
/** In the flags of an extended clipboard message: the server asks for the person's text. */
const clipboardRequest = 0x02000000
/** To pack a text takes twice as long as to unpack it. */
const packingFactor = 2
/** A rectangle of Tight is 64 Ki pixels, a tile of ZRLE less. */
const maxInflatedBytes = 16 * 1024 * 1024
/** Pictures of one frame that wait for being decoded. */
const maxWaitingPictures = 4_096
/** What of a frame waits behind a picture, in screens: it may be copied as well as drawn. */
const maxWaitingScreens = 3
/** A person who drags a window's corner gets 10 a second. */
const maxResizes = 40
const resizesWithinMs = 2_000

const noVnc = 'what it sends is no VNC'

/** What a guest sent is no VNC, or more of it than is drawn. */
class BrokenScreen extends Error {}

/**
 * Copies within a large screen, a few bytes each, have stopped the page from answering, however few were let through.
 * Whoever is not told that it may, sends none.
 */
const copyRect = 1
const { clientEncodings } = RFB.messages
RFB.messages.clientEncodings = (sock, wanted) => clientEncodings(sock, wanted.filter((encoding) => encoding !== copyRect))

const inflating = { limit: maxInflatedBytes, isBounded: false, spend: (_bytes: number) => {} }

/** Every inflator of noVNC makes room for as much as it is told will come, which the guest says. */
function boundInflate({ _decoders }: RFB): void {
  if (inflating.isBounded) return
  const inflator = Object.getPrototypeOf(_decoders[zrle]!._inflator) as { inflate(expected: number): Uint8Array }
  const inflate = inflator.inflate
  inflator.inflate = function (expected) {
    if (expected < 0 || expected > inflating.limit) throw new BrokenScreen('it packs more than may be unpacked')
    inflating.spend(expected)
    return inflate.call(this, expected)
  }
  inflating.isBounded = true
}

/**
 * noVNC, which believes the server every size that it tells. Here the server is a sandbox: whatever it sends is held to what
 * can be drawn, and beyond that the connection ends.
 */
export class BoundedRfb extends PromptRfb {
  /** Why it ended by itself; null when the connection did. */
  broken: string | null = null
  #resizedAt: number[] = []
  readonly #painting = createPaintBudget()
  readonly #texts = createTextBudget()
  #waitingPixels = 0
  #isHandling = false
  readonly #keys: HTMLElement

  /** @param keys where keys are pressed */
  constructor(target: HTMLElement, channel: RawChannel, keys: HTMLElement) {
    super(target, channel, { shared: true })
    this.#keys = keys
    this._keyboard._target = keys
    for (const encoding of Object.keys(this._decoders).map(Number)) if (!encodings.has(encoding)) delete this._decoders[encoding]
    boundInflate(this)
    this.#boundDisplay()
  }

  #boundDisplay(): void {
    const display = this._display
    const { fillRect, blitImage, flip } = display
    // What waited behind a picture was counted when it came.
    display.fillRect = (x, y, width, height, color, fromQueue) => {
      if (!fromQueue) this.#paint(x, y, width, height)
      fillRect.call(display, x, y, width, height, color, fromQueue)
    }
    display.blitImage = (x, y, width, height, data, offset, fromQueue) => {
      if (!fromQueue) this.#paint(x, y, width, height)
      blitImage.call(display, x, y, width, height, data, offset, fromQueue)
    }
    display.imageRect = (x, y, width, height, mime, data) => {
      const size = mime === 'image/jpeg' ? jpegSize(data) : null
      if (size?.width !== width || size.height !== height) throw new BrokenScreen('a picture has another size than its place')
      if (display._renderQ.length > maxWaitingPictures) throw new BrokenScreen('a frame has too many pictures')
      this.#paint(x, y, width, height)
      display.videoFrame(x, y, width, height, decodeJpeg(data, () => this.#end('a picture of it is none')))
    }
    display.flip = (fromQueue) => {
      const { left, top, right, bottom } = display._damageBounds
      // What is shown behind a picture that waits is not known yet.
      if (!fromQueue && this.#isHandling) this.#spend(display._renderQ.length > 0 ? this._fbWidth * this._fbHeight : Math.max(0, right - left) * Math.max(0, bottom - top))
      flip.call(display, fromQueue)
    }
  }

  #paint(x: number, y: number, width: number, height: number): void {
    if (x + width > this._fbWidth || y + height > this._fbHeight) throw new BrokenScreen('it draws beside its screen')
    const pixels = width * height
    this.#spend(pixels)
    this.#waitingPixels = this._display._renderQ.length === 0 ? 0 : this.#waitingPixels + pixels
    if (this.#waitingPixels > maxWaitingScreens * this._fbWidth * this._fbHeight) throw new BrokenScreen('a frame of it is larger than its screen')
  }

  #spend(pixels: number): void {
    if (!this.#painting.spend(pixels, this._fbWidth * this._fbHeight, performance.now())) throw new BrokenScreen('it paints more than can be shown')
  }

  #spendText(bytes: number): void {
    if (!this.#texts.spend(bytes, performance.now())) throw new BrokenScreen('it sends or asks for texts without end')
  }

  #end(why: string): void {
    if (this.broken !== null) return
    this.broken = why
    super._fail(why)
  }

  override focus(options?: FocusOptions): void {
    this.#keys.focus(options)
  }

  override _handleMessage(): void {
    if (this.broken !== null) return
    this.#isHandling = true
    try {
      const isNew = this._rfbConnectionState === 'connecting'
      super._handleMessage()
      // What came with the server's last words of introduction noVNC leaves until more comes.
      if (isNew && this._rfbConnectionState === 'connected' && !this._sock.rQwait('a message', 1)) super._handleMessage()
    } catch (error) {
      this.#end(error instanceof BrokenScreen ? error.message : noVnc)
    } finally {
      this.#isHandling = false
    }
  }

  /** noVNC goes on with the rest of what came, and fails for each byte of it anew. */
  override _fail(details: string): boolean {
    if (this.#isHandling) throw new BrokenScreen(noVnc)
    return super._fail(details)
  }

  /** Nobody is asked for a password: the socket is the sandbox's own. */
  override _isSupportedSecurityType(type: number): boolean {
    return type === noSecurity
  }

  override _negotiateServerInit(): boolean {
    if (!this._sock.rQwait('server initialization', 24)) refuseLong(this._sock.rQpeekBytes(24), 20, maxNameBytes)
    return super._negotiateServerInit()
  }

  override _resize(width: number, height: number): void {
    if (!isDrawable(width, height)) throw new BrokenScreen(`it wants to be ${width} × ${height}`)
    const now = performance.now()
    this.#resizedAt = [...this.#resizedAt.filter((at) => now - at < resizesWithinMs), now]
    if (this.#resizedAt.length > maxResizes) throw new BrokenScreen('it changes its size without end')
    super._resize(width, height)
    this.dispatchEvent(new Event('resize'))
  }

  override _handleRect(): boolean {
    const { x, y, width, height, encoding } = this._FBU
    if (cursors.has(encoding) && (width > maxCursorSide || height > maxCursorSide)) throw new BrokenScreen('its pointer is too large')
    if (encodings.has(encoding) && (x + width > this._fbWidth || y + height > this._fbHeight)) throw new BrokenScreen('it draws beside its screen')
    if (encoding === desktopName && !this._sock.rQwait('DesktopName', 4)) refuseLong(this._sock.rQpeekBytes(4), 0, maxNameBytes)
    return super._handleRect()
  }

  /** noVNC's own takes every error for one of decoding. */
  override _handleDataRect(): boolean {
    const { x, y, width, height, encoding } = this._FBU
    const decoder = this._decoders[encoding]
    if (!decoder) return this._fail('unsupported encoding')
    return decoder.decodeRect(x, y, width, height, this._sock, this._display, this._fbDepth)
  }

  override _handleServerCutText(): boolean {
    if (!this._sock.rQwait('ServerCutText header', 7)) {
      // An extended one has its length negated.
      const length = refuseLong(this._sock.rQpeekBytes(7), 3, maxClipboardBytes)
      if (!this._sock.rQwait('ServerCutText content', 7 + length)) this.#spendText(length + this.#wantedBytes(length))
    }
    inflating.limit = maxClipboardBytes
    inflating.spend = (bytes) => this.#spendText(bytes)
    try {
      return super._handleServerCutText()
    } finally {
      inflating.limit = maxInflatedBytes
      inflating.spend = () => {}
    }
  }

  /** What the answer to a message of the clipboard costs, as far as it is the person's text. */
  #wantedBytes(length: number): number {
    if (length < 4 || this._clipboardText === null) return 0
    const bytes = this._sock.rQpeekBytes(11)
    const flags = new DataView(bytes.buffer, bytes.byteOffset).getUint32(7)
    return flags & clipboardRequest ? packingFactor * this._clipboardText.length : 0
  }
}

/** @returns the length of the text that follows, in bytes */
function refuseLong(bytes: Uint8Array, at: number, most: number): number {
  const length = Math.abs(new DataView(bytes.buffer, bytes.byteOffset).getInt32(at))
  if (length > most) throw new BrokenScreen('a text of it is too long')
  return length
}
