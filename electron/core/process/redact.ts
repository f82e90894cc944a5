const secretName = /(token|secret|password|passwd|api_?key|credential|auth)/i
/** Options whose value, the next word, is itself the secret. */
const secretOption = /^--?([\w-]*-)?(token|password|passwd|api-?key|creds)$/i
const urlPassword = /(\w+:\/\/[^:/@\s]+:)[^@/\s]+@/g

/**
 * A command fit for messages and logs: the value of a variable or option with a secret's name, and the password in an
 * address, are replaced.
 */
export function redactCommand(argv: readonly string[]): string[] {
  return argv.map((word, at) =>
    secretOption.test(argv[at - 1] ?? '')
      ? '***'
      : word
      .replace(urlPassword, '$1***@')
      .replace(/^(--?[\w-]+=)?([\w.-]+)=(.+)$/s, (all, flag = '', name: string, _value) =>
        secretName.test(name) ? `${flag}${name}=***` : all,
      ),
  )
}
