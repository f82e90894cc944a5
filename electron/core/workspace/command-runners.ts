import type { GuestChannel } from '../guest/guest-channel.ts'
import type { GuestProcess } from '../guest/guest-process.ts'
import program from './command.pl?raw'
import { guestPerl, workspaceFolder } from './guest-place.ts'

/** Programs in the guest that each wait for one command. */
export interface Runners {
  /** One that waits, started already as a rule. @throws {PaddockError} `channel-lost` */
  take(channel: GuestChannel): Promise<GuestProcess>
}

interface Spare {
  channel: GuestChannel
  process: Promise<GuestProcess>
  isOver: boolean
}

/** Keeps one more than is needed waiting: starting it takes as long as all the rest of a short command. */
export function createRunners(): Runners {
  let spare: Spare | null = null

  const start = (channel: GuestChannel): Spare => {
    const self: Spare = { channel, process: channel.exec([guestPerl, '-e', program], { cwd: workspaceFolder }), isOver: false }
    const over = () => void (self.isOver = true)
    self.process.then((process) => {
      process.stdin.on('error', () => {})
      process.exit.then(over, over)
    }, over)
    return self
  }

  return {
    async take(channel) {
      const mine = spare?.channel === channel && !spare.isOver ? spare : start(channel)
      spare = start(channel)
      return mine.process
    },
  }
}
