import { describe, expect, it } from 'vitest'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import { endFirstProgram } from './end-program.ts'
import type { GuestOutput } from './guest-channel.ts'

const output = (change: Partial<GuestOutput>): GuestOutput => ({ exitCode: 0, stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), isCut: false, isTimedOut: false, ...change })

describe('the end of a first program', () => {
  it.each<[string, () => Promise<GuestOutput>, boolean]>([
    ['is told by the guest', async () => output({}), true],
    ['takes the connection with it', () => Promise.reject(new PaddockError({ code: 'channel-lost', message: '' })), true],
    ['may not come', async () => output({ exitCode: 1 }), false],
    ['may take too long', async () => output({ exitCode: 137, isTimedOut: true }), false],
  ])('%s', async (_what, run, isEnded) => {
    expect(await endFirstProgram({ run })).toBe(isEnded)
  })

  it('is no guess when the guest cannot be asked', async () => {
    await expect(endFirstProgram({ run: () => Promise.reject(new PaddockError({ code: 'cancelled', message: '' })) })).rejects.toMatchObject({ report: { code: 'cancelled' } })
  })
})
