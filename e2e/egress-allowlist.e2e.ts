import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Policy } from '../shared/domain/egress-policy.ts'
import { type EgressRequest, mergeRequests } from '../shared/domain/egress-request.ts'
import { proxyPlace } from '../electron/core/egress/proxy/proxy-place.ts'
import { closed, outside, resolver } from './fixtures/internet/attempts.ts'
import { createInternet, type Internet } from './fixtures/internet/internet.ts'
import { allowed, blocked, letThrough, names, programs, type ProxyAttempt, rebinding, throughUpstream, upstream, withAuthority } from './fixtures/internet/through-proxy.ts'
import { createWeb } from './fixtures/internet/web.ts'
import { createWorld, type Ended, exec, onDefault, root, until, type World } from './harness.ts'
import type { Terminal } from './terminal.ts'

let world: World
let internet: Internet
let project: string

const annotations = (words: readonly string[]) => `--annotation dev.paddock.egress=allowlist --annotation dev.paddock.egress-allow=${words.join(',')}`
const label = (words: readonly string[]) => (text: string) => text.replace('--runtime krun', '--runtime crun').replace('--tty ', '').replace('--network pasta', `--network none ${annotations(words)}`)

beforeAll(async () => {
  world = createWorld('allowlist')
  project = world.project()
  copyFileSync(fileURLToPath(new URL('fixtures/internet/attempts.pl', import.meta.url)), join(project, 'attempts.pl'))
  world.profile('e2e-list', onDefault(label(allowed)))
  world.profile('e2e-other', onDefault(label(['forbidden.example'])))
  for (const profile of ['e2e-list', 'e2e-other', 'egress']) {
    const { code, stderr } = await world.paddock(['build', profile])
    expect(code, stderr).toBe(0)
  }
  const web = await createWeb(world, 'localhost/paddock:e2e-list', names)
  copyFileSync(web.ca, join(project, 'ca.pem'))
  internet = await createInternet(world, web.folder)
})
afterAll(async () => {
  await world?.podman(['rm', '--force', '--time', '0', '--ignore', place().name])
  await internet?.dispose()
  await world?.dispose()
})

const place = () => proxyPlace(join(world.folder, 'state/paddock/egress'))
const paddock = [process.execPath, join(root, 'dist/paddock.cjs')]
const onMachine = (args: readonly string[]) => internet.on([...paddock, ...args]) as [string, ...string[]]
const inSandbox = (profile: string, command: readonly string[], input = '', env = {}): Promise<Ended> =>
  exec(onMachine(['run', profile, '--project', project, '--', ...command]), { env: { ...world.env, ...env }, cwd: project, input })
/** The command on the machine of these tests, where the proxy is. */
const command = async (...args: string[]) => {
  const ended = await exec(onMachine(args), { env: world.env, cwd: project })
  expect(ended.code, ended.stderr).toBe(0)
  return ended
}
const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
const curl = ({ url, options = [] }: ProxyAttempt) => ['curl', '--silent', '--show-error', '--max-time', '8', '--cacert', 'ca.pem', '--output', '/dev/null', '--write-out', '%{http_code} %{http_connect}', ...options, url].map(quoted).join(' ')

interface Outcome {
  answered: string[]
  silent: string[]
  /** What the servers said. */
  reached: string[]
}

/** Makes all attempts at once. @param env of the command that launches */
async function tryAll(attempts: readonly ProxyAttempt[], env = {}): Promise<Outcome> {
  await internet.reached()
  const lines = attempts.map((attempt, at) => `(said=$(${curl(attempt)} 2>&1); echo "t${at} $? $said") &`)
  const { code, stdout, stderr } = await inSandbox('e2e-list', ['bash', '-s'], [...lines, 'wait', 'echo done'].join('\n'), env)
  expect([code, stdout.trim().split('\n').at(-1)], stderr).toEqual([0, 'done'])
  const results = new Map(stdout.split('\n').flatMap((line) => { const [, at, rc, said] = /^t(\d+) (\d+) ([^]*)$/.exec(line) ?? []; return at === undefined ? [] : [[Number(at), { rc: Number(rc), said: said! }] as const] }))
  const named = (is: (result: { rc: number; said: string }) => boolean) => attempts.filter((_attempt, at) => is(results.get(at)!)).map(({ what }) => what)
  return {
    answered: named(({ rc, said }) => rc === 0 && /(^|\s)200 \d+$/.test(said)),
    silent: named(({ rc }) => rc === 28),
    reached: await internet.reached(),
  }
}

test('there are attempts enough', () => {
  expect(letThrough.length + blocked.length + rebinding.length).toBeGreaterThan(70)
})

test('what is listed is reached', async () => {
  const { answered, silent, reached } = await tryAll(letThrough)
  expect({ answered, silent }).toEqual({ answered: letThrough.map(({ what }) => what), silent: [] })
  const hosts = reached.flatMap((line) => /^internet web \S+ \S+ (\S+)/.exec(line)?.[1]?.toLowerCase() ?? [])
  expect(new Set(hosts)).toEqual(new Set(['allowed.example', 'sub.wild.example', 'a.b.wild.example', 'port.example:8080', 'path.example', 'six.example']))
  const headers = reached.filter((line) => line.startsWith('internet web http ')).map((line) => JSON.parse(line.split(' ').slice(6).join(' ')) as Record<string, string>)
  expect(headers.length).toBeGreaterThan(3)
  for (const each of headers) expect(Object.keys(each).filter((name) => !['host', 'user-agent', 'accept', 'connection', 'cache-control'].includes(name))).toEqual([])
})

test('what is not listed, and what is closed whatever is listed, is not', async () => {
  const { answered, silent, reached } = await tryAll(blocked)
  expect({ answered, silent }).toEqual({ answered: [], silent: [] })
  // Two of them begin at a listed host, which then names another.
  const others = reached.filter((line) => !/^internet (web \S+ 203\.0\.113\.20 allowed\.example \/redirect|hello 203\.0\.113\.20 allowed\.example|tcp 203\.0\.113\.20 443)/.test(line))
  expect(others).toEqual([])
})

test('a name that changes reaches nothing that is closed', async () => {
  const { silent, reached } = await tryAll(rebinding)
  expect(silent).toEqual([])
  expect(reached.filter((line) => !/^internet (web|hello) (\S+ )?203\.0\.113\.50 /.test(line))).toEqual([])
  expect(reached).not.toEqual([])
})

test('a name that changes while its tunnel waits reaches nothing that is closed', async () => {
  await internet.reached()
  // The name is looked up for CONNECT, and again for what is said in the tunnel.
  const program = 'use IO::Socket::INET; for my $w (qw(lan metadata loopback)) { my $s = IO::Socket::INET->new("127.0.0.1:3128") or die $!; print $s "CONNECT rebind-$w.example:443 HTTP/1.1\\r\\n\\r\\n"; sysread $s, my $said, 1000; select undef, undef, undef, 2.5; print $s "\\x16\\x03\\x01"; print $said =~ /^(HTTP\\S* \\d+)/, "\\n" }'
  const { code, stderr } = await inSandbox('e2e-list', ['perl', '-e', program])
  expect(code, stderr).toBe(0)
  expect((await internet.reached()).filter((line) => !line.includes('203.0.113.50'))).toEqual([])
})

test('past the proxy nothing is reached: addresses, names, UDP', async () => {
  const attempts = [...outside, ...resolver, ...closed]
  await internet.reached()
  const { stdout, stderr } = await inSandbox('e2e-list', ['perl', 'attempts.pl'], attempts.map(({ protocol, host, port }, at) => `t${at} ${protocol} ${host} ${port}\n`).join(''))
  expect(stdout.match(/ answered$/gm), stderr).toBe(null)
  expect(stdout.match(/ silence$/gm)).toBe(null)
  expect(stdout).toContain('done')
  expect(await internet.reached()).toEqual([])
  const lookup = await inSandbox('e2e-list', ['getent', 'hosts', 'allowed.example'])
  expect(lookup).toMatchObject({ code: 2, stdout: '' })
})

test.each(programs)('%s works through it', async (_program, script, said) => {
  const { stdout, stderr } = await inSandbox('e2e-list', ['bash', '-c', withAuthority + script])
  expect(stdout, stderr).toBe(said)
})

/** A sandbox that reads commands from its terminal. */
async function open(profile: string): Promise<{ terminal: Terminal; id: string; ask: (url: string) => Promise<string> }> {
  const known = (await world.ls()).map(({ id }) => id)
  const terminal = world.onTerminal(onMachine(['run', profile, '--project', project, '--', 'bash', '--norc', '-c', 'echo up; while read -r url; do curl -sS --max-time 5 --cacert ca.pem -o /dev/null -w "%{http_code}-%{http_connect}" "$url" 2>/dev/null; echo "=$url"; done']))
  await terminal.expect(/up/)
  const { id } = await until('it is listed as held', async () => (await world.ls()).find((one) => !known.includes(one.id) && one.egress === 'allowlist'))
  let count = 0
  return {
    terminal,
    id,
    async ask(url) {
      const asked = `${url}?${++count}`
      terminal.type(`${asked}\r`)
      await terminal.expect(new RegExp(`\\d+-\\d+=${asked.replace(/[.?/]/g, '\\$&')}`))
      return new RegExp(`(\\d+)-(\\d+)=${asked.replace(/[.?/]/g, '\\$&')}`).exec(terminal.text)![1]!
    },
  }
}
/** Ends the proxy as a crash would. */
const kill = async () => {
  const { stdout } = await world.podman(['container', 'inspect', '--format', '{{.Id}}', place().name])
  await world.podman(['kill', stdout.trim()])
  await until('it is gone', async () => (await world.podman(['container', 'exists', stdout.trim()])).code === 1)
}
const requestsOf = async (id: string) => mergeRequests((JSON.parse((await command('egress', id, '--json')).stdout) as { requests: EgressRequest[] }).requests)
const policyOf = async (id: string) => JSON.parse((await command('policy', id, '--json')).stdout) as Policy

describe('a person', () => {
  let list: Awaited<ReturnType<typeof open>>
  let other: Awaited<ReturnType<typeof open>>
  beforeAll(async () => {
    list = await open('e2e-list')
    other = await open('e2e-other')
  })
  afterAll(async () => {
    for (const one of [list, other]) one?.terminal.type('\x04')
    await Promise.all([list?.terminal.ended(), other?.terminal.ended()])
  })

  test('gives each sandbox rules of its own', async () => {
    expect([await list.ask('http://allowed.example/'), await list.ask('http://forbidden.example/')]).toEqual(['200', '403'])
    expect([await other.ask('http://allowed.example/'), await other.ask('http://forbidden.example/')]).toEqual(['403', '200'])
  })

  test('sees what was asked for, by whom it was let through and why not', async () => {
    await list.ask('https://allowed.example/')
    const requests = await until('the tunnel has ended', async () => {
      const all = await requestsOf(list.id)
      return all.some(({ method, received }) => method === 'CONNECT' && received !== null) && all
    })
    expect(requests).toMatchObject([
      { host: 'allowed.example', port: 80, method: 'GET', allowed: true, rule: 'allowed.example', reason: 'listed', agent: expect.stringContaining('curl/') },
      { host: 'forbidden.example', allowed: false, rule: null, reason: 'not-listed' },
      { host: 'allowed.example', port: 443, method: 'CONNECT', path: null, allowed: true },
    ])
    expect((await requestsOf(other.id)).map(({ host, allowed }) => [host, allowed])).toEqual([['allowed.example', false], ['forbidden.example', true]])
  })

  test('sees of a listed name without an address that it has none, and its tunnel is refused at once', async () => {
    const asked = await inSandbox('e2e-list', ['curl', '--silent', '--output', '/dev/null', '--write-out', '%{http_connect}', 'https://nowhere.wild.example/'])
    expect(asked.stdout).toBe('407')
    await list.ask('https://nowhere.wild.example/')
    expect((await requestsOf(list.id)).at(-1)).toMatchObject({ host: 'nowhere.wild.example', method: 'CONNECT', allowed: false, reason: 'unresolved' })
  })

  test('allows a host, which holds within a second and for that sandbox alone', async () => {
    expect(await list.ask('https://asked.example/')).toBe('000')
    await command('allow', list.id, 'asked.example')
    expect(await list.ask('https://asked.example/')).toBe('200')
    expect(await other.ask('https://asked.example/')).toBe('000')
    expect((await policyOf(list.id)).rules).toContainEqual({ rule: 'asked.example', source: { kind: 'sandbox' } })
    await command('allow', list.id, 'asked.example', '--forget')
    expect(await list.ask('https://asked.example/')).toBe('000')
  })

  test('allows a host for a profile', async () => {
    await command('allow', other.id, 'asked.example', '--profile')
    expect([await other.ask('http://asked.example/'), await list.ask('http://asked.example/')]).toEqual(['200', '403'])
    expect((await policyOf(other.id)).rules).toContainEqual({ rule: 'asked.example', source: { kind: 'profile' } })
    expect(JSON.parse(readFileSync(join(world.folder, 'config/paddock/egress.json'), 'utf8'))).toEqual({ profiles: { 'e2e-other': ['asked.example'] } })
  })

  test('cannot allow an address or metadata', async () => {
    for (const rule of ['192.168.1.1', 'metadata.google.internal', '*.com', 'https://example.org']) {
      const { code, stderr } = await exec(onMachine(['allow', list.id, rule]), { env: world.env })
      expect([code, stderr]).toEqual([2, expect.stringContaining('is no rule of an allowlist')])
    }
  })

  test('has all of it closed while the proxy is gone, and back when it is', async () => {
    await internet.reached()
    await kill()
    expect(await list.ask('http://allowed.example/')).toBe('000')
    expect(await internet.reached()).toEqual([])
    await command('allow', list.id, 'asked.example')
    expect([await list.ask('http://allowed.example/'), await list.ask('http://asked.example/')]).toEqual(['200', '200'])
    expect(await other.ask('http://allowed.example/')).toBe('403')
  })

  test('has it back by itself while somebody follows', async () => {
    const following = world.onTerminal(onMachine(['egress', list.id, '--follow']))
    await following.expect(/allowed\.example/)
    await kill()
    await until('the proxy lets it through again', async () => (await list.ask('http://allowed.example/')) === '200')
    expect(await list.ask('http://forbidden.example/')).toBe('403')
    following.type('\x03')
    await following.ended()
  })
})

test('the log outlives its sandbox, and the proxy is no sandbox', async () => {
  expect(await world.ls()).toEqual([])
  expect((await world.podman(['ps', '--format', '{{.Names}}'])).stdout).toContain(place().name)
  const history = await until('its places are given back', async () => (await exec(['ls', place().policiesFolder])).stdout === '')
  expect(history).toBe(true)
})

test('the proxy is hardened as a sandbox is', async () => {
  const { stdout } = await world.podman(['container', 'inspect', place().name])
  const [{ BoundingCaps, EffectiveCaps, HostConfig, Config }] = JSON.parse(stdout) as [{ BoundingCaps: string[]; EffectiveCaps: string[]; HostConfig: { ReadonlyRootfs: boolean; SecurityOpt: string[]; PidsLimit: number }; Config: { User: string } }]
  expect({ BoundingCaps, EffectiveCaps, root: HostConfig.ReadonlyRootfs, user: Config.User }).toEqual({ BoundingCaps: null, EffectiveCaps: null, root: true, user: 'proxy' })
  expect(HostConfig.SecurityOpt).toContain('no-new-privileges')
})

test('behind a company’s proxy what is let through goes that way, and nothing else comes to it', async () => {
  await kill()
  const [http, https] = letThrough
  const { answered, silent, reached } = await tryAll([http!, https!, ...blocked], { https_proxy: upstream, no_proxy: '' })
  expect({ answered, silent }).toEqual({ answered: [http!.what, https!.what], silent: [] })
  const asked = reached.flatMap((line) => /^internet upstream (.*)/.exec(line)?.[1] ?? [])
  // The first two; two of the others begin at a listed host, and names are looked up by the company's proxy alone.
  expect(new Set(asked)).toEqual(new Set(throughUpstream))
  const past = reached.filter((line) => /^internet (web|hello|tcp)/.test(line) && !line.includes('203.0.113.20'))
  expect(past).toEqual([])
})
