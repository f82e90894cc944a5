import type { RunOption } from '../../run-flags.ts'

/** The controls of a label, by the rule that misses them: what a fix puts in. */
export const controls: Record<string, RunOption> = {
  'cap-drop': { flag: '--cap-drop', value: 'ALL' },
  'no-new-privileges': { flag: '--security-opt', value: 'no-new-privileges' },
  runtime: { flag: '--runtime', value: 'krun' },
  network: { flag: '--network', value: 'pasta' },
  egress: { flag: '--network', value: 'none' },
  'read-only': { flag: '--read-only', value: null },
  tmp: { flag: '--tmpfs', value: '/tmp:rw,noexec,nosuid,nodev,size=512m' },
  'pids-limit': { flag: '--pids-limit', value: '512' },
  'krun-annotation': { flag: '--annotation', value: null },
  user: { flag: '--user', value: 'ai' },
}

const reasons: Record<string, string> = {
  privileged: 'With it a sandbox is little more than a folder: whoever breaks out of the agent has the machine.',
  'cap-add': 'Each capability opens parts of the kernel that an ordinary program never reaches.',
  'cap-drop': 'Capabilities that nobody needs are ways out that nobody watches.',
  'no-new-privileges': 'A set-uid program with a hole would make the agent root inside.',
  'security-opt': 'What the kernel no longer forbids, an agent can try.',
  runtime: 'Without a microVM, one hole in the kernel is a way onto this machine.',
  'read-only': 'An agent that can change its own system can hide there from you.',
  tmp: 'A /tmp without these fills the memory, or holds programs that nobody looks for there.',
  'pids-limit': 'Without a limit, one loop of a program can stop the whole machine.',
  'krun-annotation': 'What the label does not say, the next version of krun may decide otherwise.',
  user: 'Who runs decides what a mistake can reach.',
  mount: 'What is mounted, the agent can read, and change where it is not read-only.',
  device: 'A device is handed over whole, with every hole of its driver.',
  entrypoint: 'The entrypoint hardens a microVM from the inside before anything of the agent’s runs.',
  image: 'What is launched should be what the profile builds and Paddock checks.',
  name: 'Podman refuses a second sandbox of the same name.',
  network: 'Podman’s default differs between versions and accounts.',
  egress: 'The label is read by plain Podman too, which knows no modes; without a network the sandbox stays closed by itself.',
  'egress-allow': 'What is opened, every program in the sandbox reaches, and through it perhaps more.',
  restart: 'A sandbox that Podman starts again has a new network, and none of Paddock’s rules in it.',
  publish: 'Every program on this machine, and on the network where the address says so, reaches that port.',
  environment: 'A value that is in the environment can be read and sent on by whatever runs there.',
}

/** One sentence of why a rule is one. */
export function reasonFor(rule: string): string {
  return reasons[rule] ?? 'It gives the sandbox a part of the host that it does not need to do its work.'
}
