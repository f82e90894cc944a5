import RFB from '@novnc/novnc'

/** With these Xvnc judges by the time that answers take how much it may send ahead: to who draws for half that time, too little. */
const fence = -312
const continuousUpdates = -313
const { clientEncodings } = RFB.messages
RFB.messages.clientEncodings = (sock, wanted) => clientEncodings(sock, wanted.filter((encoding) => encoding !== fence && encoding !== continuousUpdates))

/** noVNC, which asks for a frame only once it has drawn the one before. Here it is asked for when that one begins to be drawn, and made meanwhile. */
export class PromptRfb extends RFB {
  /** Frames that were drawn. */
  frames = 0
  /** noVNC leaves asking to the server, as it believes. */
  override _enabledContinuousUpdates = true
  #hasAsked = false

  /** Called while noVNC is being made: before its canvas is on the page, it is exchanged for one that is shown without the page being drawn anew. */
  override _connect(): void {
    const canvas = this._canvas.cloneNode() as HTMLCanvasElement
    this._canvas.replaceWith(canvas)
    this._canvas = canvas
    this._display._target = canvas
    this._display._targetCtx = canvas.getContext('2d', { desynchronized: true })!
    super._connect()
  }

  #ask(): void {
    RFB.messages.fbUpdateRequest(this._sock, true, 0, 0, this._fbWidth, this._fbHeight)
  }

  #askAhead(): void {
    if (!this.#hasAsked) this.#ask()
    this.#hasAsked = true
  }

  override _handleRect(): boolean {
    this.#askAhead()
    return super._handleRect()
  }

  override _framebufferUpdate(): boolean {
    const isWhole = super._framebufferUpdate()
    if (isWhole) {
      // It may have had nothing in it.
      this.#askAhead()
      this.#hasAsked = false
      this.frames++
      this.dispatchEvent(new Event('frame'))
    }
    return isWhole
  }

  /** Called where the size has changed: what was asked for was of the old one. noVNC itself asks for the first frame. */
  override _updateContinuousUpdates(): void {
    if (this.frames > 0) this.#ask()
  }
}
