import { plain } from '../../../shared/domain/plain-text.ts'
import { PaddockError } from '../../../shared/errors/paddock-error.ts'
import type { GuestOutput } from '../guest/guest-channel.ts'

/** Why something could not be done with a desktop, by what the program in the guest said. @param what the beginning of a sentence */
export function desktopFailure(what: string, { exitCode, stderr, isCut, isTimedOut }: GuestOutput): PaddockError {
  const said = stderr.toString()
  const why = isTimedOut
    ? 'it takes too long'
    : isCut
      ? 'it sends too much'
      : exitCode === 127 || /No module named|not found/.test(said)
        ? 'its image lacks what that needs'
        : /open display|X connection failed|cannot open|Can't open/i.test(said)
          ? 'there is no desktop in this sandbox, or it has not started yet'
          : plain(said.trim().split('\n').at(-1) ?? '').slice(0, 200) || `it ended with ${exitCode}`
  return new PaddockError({ code: 'desktop-unavailable', message: `${what}: ${why}.`, hint: 'The profile "desktop", and profiles that are built on it with desktop=on, have one.' })
}
