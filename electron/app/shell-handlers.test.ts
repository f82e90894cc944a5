import { beforeEach, expect, it } from 'vitest'
import type { CallContext } from '../../shared/contract/contract.ts'
import { plainLayout } from '../../shared/domain/shell-layout.ts'
import { PaddockError } from '../../shared/errors/paddock-error.ts'
import { createShellCalls, type ShellCalls } from './shell-handlers.ts'

const id = 'a'.repeat(64)
const context: CallContext = { signal: new AbortController().signal, onProgress: () => {} }
let asked: number
let calls: ShellCalls

beforeEach(() => {
  asked = 0
  calls = createShellCalls({
    async guests() {
      asked++
      throw new PaddockError({ code: 'channel-unavailable', message: 'There is none.' })
    },
  })
})

it('asks nothing of any sandbox before the first shell', async () => {
  const { handlers, find, count } = calls
  expect(await handlers['shell.list']({ id }, context)).toEqual({ shells: [], layout: null })
  expect(await handlers['shell.arrange']({ id, layout: plainLayout }, context)).toEqual({})
  expect(await handlers['shell.close']({ terminalId: 'x', force: true }, context)).toEqual({ running: null })
  expect([find('x'), count(), asked]).toEqual([undefined, 0, 0])
})

it('tells why there is no shell, each time it is asked', async () => {
  for (const times of [1, 2]) {
    await expect(calls.handlers['shell.open']({ id }, context)).rejects.toMatchObject({ report: { code: 'channel-unavailable' } })
    expect(asked).toBe(times)
  }
})
