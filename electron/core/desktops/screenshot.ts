import * as z from 'zod/mini'
import { isDrawable } from '../../../shared/domain/desktop.ts'
import { pngSize, type Region, type ShotView } from '../../../shared/domain/desktop-shot.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { GuestChannel } from '../guest/guest-channel.ts'
import { desktopFailure } from './desktop-failure.ts'
import program from './screenshot.py?raw'

/** A picture of a desktop; its bytes are the sandbox's. */
export interface Shot extends ShotView {
  png: Buffer
}

export interface ShotOptions {
  /** Absent means all of it. */
  region?: Region | undefined
  /** The picture's longest side; larger ones are made smaller. Absent means never. */
  longestSide?: number | undefined
  signal?: AbortSignal | undefined
}

/** Every pixel of the largest desktop, hardly packed. */
const maxBytes = 48 * 1024 * 1024
const shotMs = 20_000
/** The line before the picture, as screenshot.py prints it: sizes and places in pixels of the desktop. */
const headSchema = z.object({ screen: z.tuple([z.int(), z.int()]), region: z.tuple([z.int(), z.int(), z.int(), z.int()]) })

/** Takes a picture through the guest channel. @throws {PaddockError} `desktop-unavailable` with the reason, `usage` for a region outside, `channel-lost` */
export async function takeScreenshot(guest: GuestChannel, { region, longestSide = 0, signal }: ShotOptions = {}): Promise<Shot> {
  const { x, y, width, height } = region ?? { x: 0, y: 0, width: 0, height: 0 }
  const argv: [string, ...string[]] = ['python3', '-c', program, ...[x, y, width, height, longestSide].map(String)]
  const output = await guest.run(argv, { cwd: '/', maxOutput: maxBytes, timeoutMs: shotMs, ...(signal && { signal }) })
  if (signal?.aborted) throw new PaddockError({ code: 'cancelled', message: 'Cancelled.' })
  const outside = /the region lies outside[^\n]*/.exec(output.stderr.toString())?.[0]
  if (outside) throw new PaddockError({ code: 'usage', message: `No picture was taken: ${outside}.` })
  if (output.exitCode !== 0 || output.isCut || output.isTimedOut) throw desktopFailure('No picture was taken', output)
  return readShot(output.stdout)
}

/** @throws {PaddockError} `desktop-unavailable` for what is no such picture */
export function readShot(bytes: Buffer): Shot {
  const end = bytes.indexOf('\n')
  const png = bytes.subarray(end + 1)
  const size = pngSize(png)
  const head = headSchema.safeParse(parseJson(bytes.toString('utf8', 0, Math.max(0, Math.min(end, 1_000)))))
  if (!head.success || size === null) throw noPicture()
  const [screenWidth, screenHeight] = head.data.screen
  const [x, y, width, height] = head.data.region
  const isInside = x >= 0 && y >= 0 && isDrawable(width, height) && x + width <= screenWidth && y + height <= screenHeight
  if (!isDrawable(screenWidth, screenHeight) || !isInside || size.width > width || size.height > height) throw noPicture()
  return { png, screen: { width: screenWidth, height: screenHeight }, region: { x, y, width, height }, ...size, scale: width / size.width }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const noPicture = () => new PaddockError({ code: 'desktop-unavailable', message: 'What the sandbox sent is no picture of its desktop.', hint: 'Something in it may have taken the place of python3.' })
