import { ask } from '../process/run-step.mjs'
import { findProgram } from './find-program.mjs'

/** Which of these shared libraries the dynamic linker knows, for programs of this machine's kind: ldconfig(8). */
export function findLibraries(names) {
  const known = parseLinkerCache(ask([findProgram('ldconfig') ?? 'ldconfig', '-p']) ?? '', process.arch)
  return names.filter((name) => known.has(name))
}

/** The names in what `ldconfig -p` prints; a library for another architecture does not count. */
export function parseLinkerCache(text, arch) {
  const kind = { x64: 'x86-64', arm64: 'AArch64' }[arch] ?? ''
  const lines = text.split('\n').map((line) => /^\s+(\S+) \(([^)]*)\) => /.exec(line))
  return new Set(lines.filter((match) => match?.[2].includes(kind)).map((match) => match[1]))
}
