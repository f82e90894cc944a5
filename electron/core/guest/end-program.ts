import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { GuestChannel } from './guest-channel.ts'

/**
 * Ends the guest's first program from inside: a hang-up, as of a closed terminal, then SIGTERM, each with a while to
 * tidy up in. The first program is the highest ancestor that ai may signal: in a container process 1, in a microVM what
 * libkrun's init started. sshd descends from it, whatever it has become since.
 */
const script = `
main=$$
while parent=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$main/status") && [ "\${parent:-0}" -gt 0 ] && kill -0 "$parent" 2>/dev/null; do main=$parent; done
for signal in HUP TERM; do
  kill -s "$signal" "$main" || exit
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    kill -0 "$main" 2>/dev/null || exit 0
    sleep 0.1
  done
done
exit 1`

/** Both signals' while, and what it takes to ask. */
const askMs = 6_000

/** Has the guest end its first program, and with it itself. @returns whether it did, as far as it told */
export async function endFirstProgram(guest: Pick<GuestChannel, 'run'>): Promise<boolean> {
  try {
    const { exitCode, isTimedOut } = await guest.run(['sh', '-c', script], { cwd: '/', maxOutput: 1_000, timeoutMs: askMs })
    return exitCode === 0 && !isTimedOut
  } catch (error) {
    // Its end takes the connection with it.
    if (error instanceof PaddockError && error.report.code === 'channel-lost') return true
    throw error
  }
}
