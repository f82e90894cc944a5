/** A picture in noVNC's queue of what is to be drawn: that waits for `promise` until it is `ready`, then draws and closes its `frame`. */
export interface WaitingPicture {
  ready: boolean
  frame: VideoFrame | null
  promise: Promise<void>
}

/** Of one that is cut off Chromium waits for the rest, though it was told that there is none. */
const decodesWithinMs = 10_000

/**
 * Decodes off the page's thread. noVNC itself has an `<img>` load the address of each, which takes several times as long.
 * @param onBroken it is no picture, and never will be ready
 */
export function decodeJpeg(data: Uint8Array, onBroken: () => void): WaitingPicture {
  const { buffer } = data.slice()
  const decoder = new ImageDecoder({ type: 'image/jpeg', data: buffer, transfer: [buffer] })
  const tooLong = setTimeout(() => decoder.close(), decodesWithinMs)
  const decode = async () => {
    try {
      picture.frame = (await decoder.decode()).image
      picture.ready = true
      decoder.close()
    } catch {
      onBroken()
      await new Promise(() => {})
    } finally {
      clearTimeout(tooLong)
    }
  }
  const picture: WaitingPicture = { ready: false, frame: null, promise: Promise.resolve() }
  picture.promise = decode()
  return picture
}
