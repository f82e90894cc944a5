import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { GuestChannel } from '../guest/guest-channel.ts'
import { createDesktopActions } from './desktop-actions.ts'

/** The programs of a guest, as tiny ones of this machine. */
let bin: string
beforeEach(() => {
  bin = mkdtempSync(join(tmpdir(), 'paddock-xdotool-'))
})
afterEach(() => rmSync(bin, { recursive: true }))

const program = (name: string, script: string) => {
  writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(bin, name), 0o755)
}

const guest = {
  run: async ([file, ...args]: readonly [string, ...string[]]) => {
    const { stdout, stderr, status } = spawnSync(file, args, { env: { ...process.env, PATH: `${bin}:${process.env.PATH}` } })
    return { stdout, stderr, exitCode: status, isCut: false, isTimedOut: false }
  },
} as unknown as GuestChannel

it('lists windows whatever their titles are, and none that was closed meanwhile', async () => {
  program('xprop', 'case $* in "-root "*) echo "_NET_CLIENT_LIST_STACKING(WINDOW): window id # 0xa, 0xb, 0xc, 0xd" ;; *0xd*) echo "_NET_FRAME_EXTENTS(CARDINAL) = 1, 1, 26, 1" ;; esac')
  program(
    'xdotool',
    `case "$*" in
  getactivewindow) echo 13 ;;
  "getwindowname 0xc") echo ;;
  "getwindowname "*) printf 'title of %s\\n' "$2" ;;
  *0xb) echo "X Error of failed request:  BadWindow" >&2; exit 1 ;;
  *0xa) printf 'WINDOW=10\\nX=1\\nY=2\\nWIDTH=30\\nHEIGHT=40\\nSCREEN=0\\n' ;;
  *) printf 'WINDOW=12\\nX=5\\nY=56\\nWIDTH=70\\nHEIGHT=80\\nSCREEN=0\\n' ;;
esac`,
  )
  expect(await createDesktopActions(async () => guest).windows()).toEqual([
    { title: 'title of 0xa', x: 1, y: 2, width: 30, height: 40, isActive: false },
    { title: '', x: 5, y: 56, width: 70, height: 80, isActive: false },
    { title: 'title of 0xd', x: 4, y: 30, width: 70, height: 80, isActive: true },
  ])
})

it.each([
  ['is called off', { isAborted: true, isTimedOut: false, code: 'cancelled' }],
  ['takes too long', { isAborted: false, isTimedOut: true, code: 'desktop-unavailable' }],
])('lets go of every button and key when a drag %s', async (_what, { isAborted, isTimedOut, code }) => {
  const stop = new AbortController()
  const runs: { argv: readonly string[]; isCalledOff: boolean }[] = []
  const held = {
    run: async (argv: readonly string[], { signal }: { signal?: AbortSignal }) => {
      runs.push({ argv, isCalledOff: signal?.aborted ?? false })
      const isDrag = argv.includes('mousedown')
      if (isDrag && isAborted) stop.abort()
      return { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), exitCode: isDrag ? null : 0, isCut: false, isTimedOut: isDrag && isTimedOut }
    },
  } as unknown as GuestChannel
  const drag = createDesktopActions(async () => held, stop.signal).drag([{ x: 1, y: 1 }, { x: 2, y: 2 }], 'left')
  await expect(drag).rejects.toMatchObject({ report: { code } })
  expect(runs).toHaveLength(2)
  expect(runs[1]!.isCalledOff).toBe(false)
  expect(runs[1]!.argv.join(' ')).toBe('xdotool mouseup 1 mouseup 2 mouseup 3 keyup ctrl keyup shift keyup alt keyup super')
})
