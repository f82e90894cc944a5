import { describe, expect, it } from 'vitest'
import { runAttached, signalNumber } from './run-attached.ts'

const shell = (script: string, env?: Record<string, string | undefined>) => runAttached(['/bin/sh', '-c', script], env ? { env } : {})
const listeners = () => ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'].map((name) => process.listenerCount(name))

describe('runAttached', () => {
  it.each([[0], [3], [126], [255]])('passes on exit code %i', async (code) => {
    expect(await shell(`exit ${code}`)).toBe(code)
  })

  it.each([['INT', 130], ['TERM', 143], ['KILL', 137], ['QUIT', 131]])('reports death by SIG%s as a shell does', async (signal, code) => {
    expect(await shell(`kill -${signal} $$`)).toBe(code)
  })

  it('adds variables and takes them away', async () => {
    process.env.PADDOCK_TEST_GONE = '1'
    expect(await shell('[ "$A" = b ] && [ -z "${PADDOCK_TEST_GONE+set}" ]', { A: 'b', PADDOCK_TEST_GONE: undefined })).toBe(0)
  })

  it('rejects when the program does not exist, and catches signals no longer', async () => {
    const before = listeners()
    await expect(runAttached(['/no/such/program'])).rejects.toMatchObject({ code: 'ENOENT' })
    expect(listeners()).toEqual(before)
  })

  it('passes SIGTERM on to the child, and lets go of signals at its end', async () => {
    const before = listeners()
    let pid = 0
    const running = runAttached(['/bin/sh', '-c', 'trap "exit 42" TERM; while :; do sleep 0.05; done'], { onStarted: (started) => (pid = started) })
    await expect.poll(() => pid).toBeGreaterThan(0)
    await new Promise((resolve) => setTimeout(resolve, 200))
    process.emit('SIGTERM', 'SIGTERM')
    expect(await running).toBe(42)
    expect(listeners()).toEqual(before)
  })
})

it('knows the numbers of signals, and 0 for what is none', () => {
  expect([signalNumber('SIGKILL'), signalNumber('SIGTERM'), signalNumber('SIGNONSENSE')]).toEqual([9, 15, 0])
})
