import { afterEach, expect, test } from 'vitest'
import { firstWords } from './first-words.ts'
import { openTerminal, type Terminal } from './terminal.ts'

const warning = 'Resource limits are not supported and ignored on cgroups V1 rootless systems'
let terminal: Terminal
afterEach(() => terminal.kill())

const open = (script: string) => {
  terminal = openTerminal(['sh', '-c', script], {})
  return firstWords(terminal)
}

test('a prompt behind a warning of Podman’s is heard while its program goes on', async () => {
  const { heard, close } = open(`echo '${warning}'; printf '$ '; exec sleep 60`)
  const first = await Promise.race([heard.then(() => 'heard'), terminal.ended.then(() => 'ended')])
  close()
  expect(first).toBe('heard')
})

test.each([`${warning}\nError: no such file`, 'Error: crun: not found', warning, ''])('of %j nothing is the sandbox’s', async (said) => {
  const { heard, close } = open(`printf '${said.replaceAll('\n', '\\n')}\n'`)
  const first = await Promise.race([heard.then(() => 'heard'), terminal.ended.then(() => 'ended')])
  close()
  expect(first).toBe('ended')
})
