import * as z from 'zod'

const whole = () => z.number().int()
const place = { x: z.number().min(0).describe('Pixels from the left of the last screenshot.'), y: z.number().min(0).describe('Pixels from its top.') }
const button = z.enum(['left', 'middle', 'right']).default('left')
/** Where it was done, in pixels of the desktop itself. */
const done = z.object({ desktop_x: z.number(), desktop_y: z.number() }).describe('Where it was done, in pixels of the desktop itself.')
const looks = { readOnlyHint: true, openWorldHint: false } as const
const acts = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true } as const

export const desktopLimits = { side: { default: 1280, max: 4096 }, text: 10_000, clicks: 5, presses: 50, scroll: 50, points: 50, words: 64 } as const

/** Looks at the desktop of a sandbox and works it. Places are always pixels of the screenshot that this connection took last. */
export const desktopSchemas = {
  desktop_screenshot: {
    title: 'See the desktop',
    description: 'Takes a picture (PNG) of the sandbox’s desktop, or of a region of it. All places in the other desktop tools are pixels of the picture taken last, which may be smaller than the desktop: scale tells how many pixels of the desktop one of the picture is. The pointer is not in it.',
    input: z.strictObject({
      region: z.strictObject({ x: whole().min(0), y: whole().min(0), width: whole().min(1), height: whole().min(1) }).optional().describe('In pixels of the desktop itself; absent means all of it.'),
      max_side: whole().min(64).max(desktopLimits.side.max).default(desktopLimits.side.default).describe('Longest side of the picture; a larger one is made smaller.'),
      wait_seconds: z.number().min(0).max(30).default(0).describe('Wait so long first, for what is still being drawn.'),
    }),
    output: z.object({
      width: z.number(),
      height: z.number(),
      scale: z.number().describe('Pixels of the desktop in one of the picture.'),
      desktop_width: z.number(),
      desktop_height: z.number(),
      region: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
    }),
    annotations: looks,
  },
  desktop_click: {
    title: 'Click',
    description: 'Clicks at a place of the last screenshot.',
    input: z.strictObject({
      ...place,
      button,
      count: whole().min(1).max(desktopLimits.clicks).default(1).describe('2 is a double click.'),
      modifiers: z.array(z.enum(['ctrl', 'shift', 'alt', 'super'])).max(4).default([]).describe('Keys that are held down meanwhile.'),
    }),
    output: done,
    annotations: acts,
  },
  desktop_type: {
    title: 'Type',
    description: 'Types text into what has the keyboard; a line end is Enter. Each nineteen letters that no US keyboard has take a second: long texts of those are better written into a file.',
    input: z.strictObject({ text: z.string().min(1).max(desktopLimits.text) }),
    output: z.object({ characters: z.number() }),
    annotations: acts,
  },
  desktop_key: {
    title: 'Press keys',
    description: 'Presses a key or a combination, named as X names them: Return, Escape, Tab, BackSpace, Page_Down, F5, ctrl+s, alt+F4, super.',
    input: z.strictObject({ keys: z.string().regex(/^[A-Za-z0-9_]+(\+[A-Za-z0-9_]+){0,4}$/), count: whole().min(1).max(desktopLimits.presses).default(1) }),
    output: z.object({ keys: z.string(), count: z.number() }),
    annotations: acts,
  },
  desktop_scroll: {
    title: 'Scroll',
    description: 'Turns the wheel at a place of the last screenshot.',
    input: z.strictObject({ ...place, direction: z.enum(['up', 'down', 'left', 'right']), steps: whole().min(1).max(desktopLimits.scroll).default(3) }),
    output: done,
    annotations: acts,
  },
  desktop_drag: {
    title: 'Drag',
    description: 'Presses a button at the first place, moves along the others and lets go at the last; draws in a paint program, moves a window, selects text.',
    input: z.strictObject({ path: z.array(z.strictObject(place)).min(2).max(desktopLimits.points), button }),
    output: done,
    annotations: acts,
  },
  desktop_windows: {
    title: 'List windows',
    description: 'Lists the windows of the desktop, the topmost last, with their places in pixels of the desktop itself.',
    input: z.strictObject({}),
    output: z.object({ windows: z.array(z.object({ title: z.string(), x: z.number(), y: z.number(), width: z.number(), height: z.number(), active: z.boolean() })) }),
    annotations: looks,
  },
  desktop_launch: {
    title: 'Start a program',
    description: 'Starts a program on the desktop, which goes on by itself: chromium with an address, xfce4-terminal, mousepad with a file, mtpaint, thunar. Its window takes a moment to appear.',
    input: z.strictObject({ command: z.array(z.string().max(4_096)).min(1).max(desktopLimits.words).describe('The program and its arguments; no shell reads them.') }),
    output: z.object({ started: z.string() }),
    annotations: acts,
  },
} as const
