import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proxyPlace } from '../electron/core/egress/proxy/proxy-place.ts'
import type { Policy } from '../shared/domain/egress-policy.ts'
import type { EgressRequest } from '../shared/domain/egress-request.ts'
import { answerDialogs } from './fixtures/system-dialog.ts'
import { launch, openWindow, type WindowApp, writeSettings } from './fixtures/window-app.ts'
import { createWorld, onMinimal, until, type World } from './harness.ts'

let world: World
let window: WindowApp
let id: string

const refusedTunnel = 407
/**
 * Asks the proxy for a tunnel, as a program would, and prints its answer's code and the host. In a shell of its own: bash
 * writes line by line, and a proxy that is being killed may hang up in between, which would end the sandbox's first process.
 */
const ask = `ask() ( trap '' PIPE; exec 3<>/dev/tcp/127.0.0.1/3128; printf 'CONNECT %s:443 HTTP/1.1\\r\\nHost: %s:443\\r\\nUser-Agent: asker/1\\r\\n\\r\\n' $1 $1 >&3; read -t 5 -r _ code _ <&3; echo "answer $code to $1" )`

beforeAll(async () => {
  world = createWorld('window-egress')
  writeSettings(world)
  world.profile('e2e-listed', onMinimal((label) => label.replace('--network pasta', '--network none --annotation dev.paddock.egress=allowlist --annotation dev.paddock.egress-allow=listed.invalid')))
  for (const profile of ['egress', 'e2e-listed']) {
    const built = await world.paddock(['build', profile])
    expect(built.code, built.stderr).toBe(0)
  }
  window = await openWindow(world)
  await launch(window, world.project('listed'), 'e2e-listed')
  id = (await world.ls())[0]!.id
  await window.type(ask)
})
afterAll(async () => {
  await window?.kill()
  await world?.podman(['rm', '--force', '--time', '0', '--ignore', proxyPlace(join(world.folder, 'state/paddock/egress')).name])
  await world?.dispose()
})

const prompt = () => window.screen.getByRole('status', { name: 'Blocked hosts' })
const panel = () => window.page.getByRole('complementary', { name: /^Egress of listed/ })
const logged = (host: string) => panel().getByRole('list', { name: 'Requests, the newest first' }).getByRole('listitem').filter({ hasText: host })
const policy = async () => JSON.parse((await world.paddock(['policy', id, '--json'])).stdout) as Policy
/** As bash's own answer, not as what was typed. */
const answers = (code: number | RegExp, host: string) => window.shows(new RegExp(`answer ${code instanceof RegExp ? code.source : code} to ${host.replaceAll('.', '\\.')}`))

test('what no rule lets through is asked about, the keys stay in the terminal, and a yes lets it through', async () => {
  await window.type('ask wanted.invalid')
  await answers(refusedTunnel, 'wanted.invalid')
  await prompt().getByText('wanted.invalid', { exact: true }).waitFor()
  await window.page.keyboard.type('echo still-$((40 + 2))\n')
  await window.shows(/still-42/)
  await prompt().getByRole('button', { name: 'This sandbox' }).click()
  await prompt().waitFor({ state: 'detached' })
  expect((await policy()).rules).toContainEqual({ rule: 'wanted.invalid', source: { kind: 'sandbox' } })
  await until('the rule holds', async () => {
    await window.type('clear; ask wanted.invalid')
    await answers(refusedTunnel, 'wanted.invalid')
    // There is no such host, which is another reason than a no.
    const { requests } = JSON.parse((await world.paddock(['egress', id, '--json'])).stdout) as { requests: { host: string; reason: string }[] }
    return requests.some(({ host, reason }) => host === 'wanted.invalid' && reason === 'unresolved')
  })
})

test('a burst is one question; each host is decided by itself, and a no is not asked about again', async () => {
  await window.type('clear; ask one.invalid; ask two.invalid; ask three.invalid')
  await prompt().getByText('and 2 more hosts were blocked.').waitFor()
  await prompt().getByRole('button', { name: 'Decide…' }).click()
  const asked = panel().getByRole('region', { name: 'Blocked, and not decided' })
  await asked.getByRole('button', { name: 'Allow two.invalid' }).click()
  await window.page.getByRole('menuitem', { name: 'Always, for every sandbox of e2e-listed' }).click()
  await asked.getByRole('button', { name: 'No, keep one.invalid blocked' }).click()
  await asked.getByRole('button', { name: 'Allow three.invalid' }).click()
  await window.page.getByRole('menuitem', { name: 'Once, for five minutes' }).click()
  await asked.waitFor({ state: 'detached' })
  const { rules, refused } = await policy()
  expect(rules.map(({ rule, source }) => [rule, source.kind])).toEqual([['listed.invalid', 'label'], ['two.invalid', 'profile'], ['wanted.invalid', 'sandbox'], ['three.invalid', 'once']])
  expect(refused).toEqual(['one.invalid'])
})

test('the log shows each request as it comes, filtered by host, and the whole is exported', async () => {
  await logged('two.invalid').first().waitFor()
  await window.type('clear; ask listed.invalid; ask 169.254.169.254')
  await logged('listed.invalid').first().waitFor()
  await logged('169.254.169.254').first().waitFor()
  await panel().getByRole('searchbox', { name: 'Filter requests' }).fill('three')
  await logged('two.invalid').first().waitFor({ state: 'detached' })
  expect(await logged('three.invalid').count()).toBe(1)
  await panel().getByRole('searchbox', { name: 'Filter requests' }).fill('')
  const file = join(world.folder, 'requests.jsonl')
  await answerDialogs(window, file)
  await panel().getByRole('button', { name: 'Export' }).click()
  await until('it is saved', () => existsSync(file) && readFileSync(file, 'utf8').endsWith('}\n'))
  const requests = readFileSync(file, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as EgressRequest)
  expect(requests[0]).toMatchObject({ host: 'wanted.invalid', port: 443, allowed: false, reason: 'not-listed', agent: 'asker/1' })
})

test('rules are added and taken back in their view, which says where each comes from', async () => {
  await panel().getByRole('button', { name: 'Rules', exact: true }).click()
  await panel().getByRole('textbox', { name: 'Host to allow' }).fill('not a host')
  await panel().getByRole('button', { name: 'Allow', exact: true }).click()
  await panel().getByRole('alert').getByText(/^This is no rule: /).waitFor()
  await panel().getByRole('textbox', { name: 'Host to allow' }).fill('*.added.invalid')
  await panel().getByRole('button', { name: 'Allow', exact: true }).click()
  await panel().getByRole('listitem').filter({ hasText: '*.added.invalid' }).getByText('this sandbox').waitFor()
  await panel().getByRole('button', { name: 'Take back two.invalid' }).click()
  await panel().getByRole('button', { name: 'Take back one.invalid' }).click()
  await panel().getByRole('button', { name: 'Take back one.invalid' }).waitFor({ state: 'detached' })
  const { rules, refused } = await policy()
  expect(rules.map(({ rule }) => rule)).toEqual(['listed.invalid', 'wanted.invalid', 'three.invalid', '*.added.invalid'])
  expect(refused).toEqual([])
})

test('a proxy that was killed comes back by itself, with what it had to hold', async () => {
  const { name } = proxyPlace(join(world.folder, 'state/paddock/egress'))
  const killed = (await world.podman(['container', 'inspect', '--format', '{{.Id}}', name])).stdout.trim()
  await world.podman(['kill', killed])
  await until('it is gone', async () => (await world.podman(['container', 'exists', killed])).code === 1)
  await until('another one says no', async () => {
    await window.type('clear; ask later.invalid')
    // No code as long as nobody answers.
    return (await answers(/\d*/, 'later.invalid')).includes(`answer ${refusedTunnel} to later.invalid`)
  })
  await panel().getByRole('button', { name: 'Requests', exact: true }).click()
  await logged('later.invalid').first().waitFor()
})
