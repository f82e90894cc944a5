/** What is used of noVNC 1.7.0, which brings no types. What begins with "_" is none of its API: its version is pinned. */
declare module '@novnc/novnc' {
  export interface RawChannel {
    binaryType: string
    protocol: string
    readyState: string
    onopen: (() => void) | null
    onmessage: ((event: { data: ArrayBuffer }) => void) | null
    onclose: ((event: object) => void) | null
    onerror: ((event: object) => void) | null
    send(data: Uint8Array): void
    close(): void
  }

  interface Rectangle {
    x: number
    y: number
    width: number
    height: number
    encoding: number
  }

  export default class RFB extends EventTarget {
    static readonly messages: { clientEncodings(sock: object, encodings: readonly number[]): void; fbUpdateRequest(sock: object, isIncremental: boolean, x: number, y: number, width: number, height: number): void }
    constructor(target: HTMLElement, channel: RawChannel, options?: { shared?: boolean })
    viewOnly: boolean
    scaleViewport: boolean
    resizeSession: boolean
    clipViewport: boolean
    focusOnClick: boolean
    qualityLevel: number
    compressionLevel: number
    background: string
    disconnect(): void
    focus(options?: FocusOptions): void
    sendKey(keysym: number, code: string | null, down?: boolean): void
    sendCtrlAltDel(): void
    clipboardPasteFrom(text: string): void

    _canvas: HTMLCanvasElement
    _clipboardText: string | null
    _fbWidth: number
    _fbHeight: number
    _FBU: Rectangle
    _fbDepth: number
    _decoders: Record<number, { _inflator?: object; decodeRect(x: number, y: number, width: number, height: number, sock: RFB['_sock'], display: RFB['_display'], depth: number): boolean }>
    _keyboard: { _target: HTMLElement; _allKeysUp(): void }
    _sock: { rQwait(what: string, bytes: number): boolean; rQpeekBytes(bytes: number): Uint8Array }
    _display: {
      scale: number
      _target: HTMLCanvasElement
      _targetCtx: CanvasRenderingContext2D
      _renderQ: object[]
      _damageBounds: { left: number; top: number; right: number; bottom: number }
      flip(fromQueue?: boolean): void
      fillRect(x: number, y: number, width: number, height: number, color: Uint8Array, fromQueue?: boolean): void
      blitImage(x: number, y: number, width: number, height: number, data: Uint8Array, offset: number, fromQueue?: boolean): void
      imageRect(x: number, y: number, width: number, height: number, mime: string, data: Uint8Array): void
      videoFrame(x: number, y: number, width: number, height: number, frame: object): void
    }
    _rfbConnectionState: string
    _enabledContinuousUpdates: boolean
    _connect(): void
    _updateContinuousUpdates(): void
    _fail(details: string): boolean
    _handleMessage(): void
    _handleRect(): boolean
    _handleDataRect(): boolean
    _framebufferUpdate(): boolean
    _handleServerCutText(): boolean
    _negotiateServerInit(): boolean
    _isSupportedSecurityType(type: number): boolean
    _resize(width: number, height: number): void
  }
}
