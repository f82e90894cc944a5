import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createFakePodman, type FakePodman, type Rule } from '../../../e2e/fixtures/fake-podman/fake-podman.ts'
import { run, type RunOptions } from './run.ts'

const folder = mkdtempSync(join(tmpdir(), 'run-test-'))
const fakes: FakePodman[] = []
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  for (const fake of fakes) fake.remove()
})
function program(rule: Omit<Rule, 'on'>): string {
  const fake = createFakePodman([{ on: '', ...rule }])
  fakes.push(fake)
  return fake.path
}
const node = (script: string, options?: RunOptions) => run([process.execPath, '-e', script], options)
const shell = (script: string, options?: RunOptions) => run(['/bin/sh', '-c', script], options)

describe('a program that ends by itself', () => {
  it.each([0, 1, 3, 125, 255])('has its own exit code: %i', async (code) => {
    expect(await shell(`echo out; echo err >&2; exit ${code}`)).toEqual({ stdout: 'out\n', stderr: 'err\n', exitCode: code, ended: 'exited', command: ['/bin/sh', '-c', expect.any(String)] })
  })

  it('gets its arguments as they are, and no shell', async () => {
    const args = ['a b', '$HOME', '*', '"', "'", '\\', '', 'a\nb', '--', ';id']
    const { stdout } = await run([process.execPath, '-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...args])
    expect(JSON.parse(stdout)).toEqual(args)
  })

  it('reads the input that is given, and the end of file where none is', async () => {
    expect((await shell('cat', { input: 'grün\n' })).stdout).toBe('grün\n')
    expect((await shell('cat')).stdout).toBe('')
  })

  it('runs where it is told, with variables added and taken away', async () => {
    process.env.PADDOCK_TEST_GONE = '1'
    const { stdout } = await shell('pwd -P; echo "[$PADDOCK_TEST_NEW][${PADDOCK_TEST_GONE-unset}][${PATH:+path}]"', { cwd: '/', env: { PADDOCK_TEST_NEW: 'x', PADDOCK_TEST_GONE: undefined } })
    expect(stdout).toBe('/\n[x][unset][path]\n')
  })
})

describe('a program that cannot be started', () => {
  it('is 127 when it does not exist', async () => {
    expect(await run([join(folder, 'absent')])).toMatchObject({ ended: 'not-started', exitCode: 127 })
    expect(await run(['paddock-no-such-program'])).toMatchObject({ ended: 'not-started', exitCode: 127 })
  })

  it('is 126 when it may not be executed', async () => {
    const file = join(folder, 'plain')
    writeFileSync(file, '#!/bin/sh\n', { mode: 0o644 })
    expect(await run([file])).toMatchObject({ ended: 'not-started', exitCode: 126 })
  })
})

describe.concurrent('a program that does not end by itself', () => {
  it.each([['TERM', 143], ['KILL', 137], ['SEGV', 139]])('killed by SIG%s is no success', async (signal, exitCode) => {
    expect(await shell(`echo before; kill -${signal} $$`)).toMatchObject({ ended: 'signalled', exitCode, stdout: 'before\n' })
  })

  it('is ended after its time', async () => {
    const ended = await run([program({ misbehave: 'hang' })], { timeoutMs: 300 })
    expect(ended).toMatchObject({ ended: 'timed-out', exitCode: 143 })
  })

  it('is killed when it ignores SIGTERM', async () => {
    const before = Date.now()
    const ended = await shell('trap "" TERM; echo ready; while :; do sleep 0.1; done', { timeoutMs: 700 })
    expect(ended).toMatchObject({ ended: 'timed-out', exitCode: 137, stdout: 'ready\n' })
    expect(Date.now() - before).toBeGreaterThan(3_000)
  }, 15_000)

  it('is no success when it answers the end of its time with exit code 0', async () => {
    const ended = await shell('trap "exit 0" TERM; echo ready; while :; do sleep 0.1; done', { timeoutMs: 700 })
    expect(ended).toMatchObject({ ended: 'timed-out', exitCode: 143, stdout: 'ready\n' })
  })

  it('is ended by a cancel, before the start too', async () => {
    const abort = new AbortController()
    const running = run([program({ misbehave: 'hang' })], { signal: abort.signal })
    setTimeout(() => abort.abort(), 200)
    expect(await running).toMatchObject({ ended: 'cancelled' })
    const again = await shell('echo late', { signal: abort.signal })
    expect(again.ended).toBe('cancelled')
    expect(again.exitCode).not.toBe(0)
  })

  it('does not hold Paddock up through a grandchild that keeps its output open', async () => {
    const before = Date.now()
    const ended = await shell('echo done; sleep 20 & exit 0')
    expect(Date.now() - before).toBeLessThan(10_000)
    expect(ended).toMatchObject({ ended: 'exited', exitCode: 0, stdout: 'done\n' })
  }, 30_000)
})

describe('output', () => {
  it('beyond the limit ends the program', async () => {
    const ended = await run([program({ misbehave: 'huge-output' })], { maxOutput: 100_000 })
    expect(ended.ended).toBe('output-too-long')
    expect(ended.exitCode).not.toBe(0)
    expect(ended.stdout.length).toBeLessThanOrEqual(100_000)
  })

  it('of any length goes to onLine when it is not kept', async () => {
    let length = 0
    const script = 'for (let i = 0; i < 20000; i++) process.stdout.write("x".repeat(99) + "\\n")'
    const ended = await node(script, { keepOutput: false, maxOutput: 100_000, onLine: (line) => void (length += line.length) })
    expect(ended).toMatchObject({ ended: 'exited', exitCode: 0, stdout: '' })
    expect(length).toBe(20_000 * 99)
  })

  it('comes in whole lines of whole characters, however it was written', async () => {
    const lines: string[] = []
    const ended = await run([program({ misbehave: 'split-utf8' })], { onLine: (line) => lines.push(line) })
    expect(lines).toEqual(['grün ✓ 🦊', 'zweite'])
    expect(ended.stdout).toBe('grün ✓ 🦊\nzweite\n')
  })

  it('is complete when run returns, the last line without an end too', async () => {
    const lines: string[] = []
    await shell('for i in 1 2 3; do echo $i; echo e$i >&2; done; printf last', { onLine: (line) => lines.push(line) })
    expect(lines.filter((line) => !line.startsWith('e'))).toEqual(['1', '2', '3', 'last'])
    expect(lines.filter((line) => line.startsWith('e'))).toEqual(['e1', 'e2', 'e3'])
  })

  it('that is no UTF-8 is replaced, not thrown at', async () => {
    expect((await run([program({ misbehave: 'invalid-utf8' })])).stdout).toBe('a\ufffd\ufffdb\n')
  })

  it('keeps its final newline, and its absence', async () => {
    expect((await shell('printf "a\\n\\n"')).stdout).toBe('a\n\n')
    expect((await shell('printf a')).stdout).toBe('a')
  })
})

it('the command in the report holds no secret', async () => {
  expect((await run(['/bin/sh', '-c', 'exit 1', 'sh', '--env', 'API_TOKEN=hunter2'])).command).not.toContain('API_TOKEN=hunter2')
})
