import type { Command } from 'commander'
import type { Check } from '../../../shared/domain/check.ts'
import { plain, printJson } from '../print.ts'
import type { CommandContext } from '../program.ts'

const marks: Record<Check['status'], string> = { ok: '✓ ok  ', warn: '! warn', fail: '✗ fail' }

/** Adds `paddock doctor`, which exits 1 when a check fails. */
export function addDoctorCommand(program: Command, { session, finish }: CommandContext): void {
  program
    .command('doctor')
    .summary('check what launching needs on this machine')
    .description('Checks what launching needs on this machine, a line each, with its fix. Exits 1 if launching cannot work.')
    .option('--json', 'print JSON')
    .action(async ({ json = false }: { json?: boolean }) => {
      const checks = await session.call('doctor.check', {})
      if (json) printJson(checks)
      else for (const check of checks) process.stdout.write(`${describe(check)}\n`)
      finish(checks.some(({ status }) => status === 'fail') ? 1 : 0)
    })
}

function describe({ name, status, found, fix }: Check): string {
  return plain(`${marks[status]}  ${name}: ${found}${fix === null ? '' : ` → ${fix}`}`)
}
