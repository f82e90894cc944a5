import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fieldKeys } from '../../../shared/domain/profile-form/assign-field.ts'
import { createNpmRegistry, integrityOf } from '../../../e2e/fixtures/npm-registry.ts'
import { createCore } from '../../core/core.ts'
import { createProgram } from '../program.ts'
import { createSession } from '../session.ts'

const bundledProfiles = fileURLToPath(new URL('../../../profiles', import.meta.url))
let folder: string
let user: string
let out: string
let err: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'profile-command-test-')))
  user = join(folder, 'config/paddock/profiles')
  out = ''
  err = ''
  vi.stubEnv('XDG_DATA_HOME', join(folder, 'data'))
  vi.stubEnv('PADDOCK_CWD', folder)
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += text), true))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += text), true))
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

/** The command over the real core and files of its own; no Podman is asked. */
async function paddock(...argv: string[]): Promise<number> {
  out = ''
  err = ''
  const environment = { ...process.env, XDG_CONFIG_HOME: join(folder, 'config'), XDG_STATE_HOME: join(folder, 'state'), XDG_CACHE_HOME: join(folder, 'cache'), PADDOCK_PODMAN: '/no/podman' }
  return createProgram(createSession(createCore({ bundledProfiles, environment }), () => {})).run(argv)
}
const fails = async (...argv: string[]) => paddock(...argv).then(() => 'it worked', (error: { report?: unknown }) => error.report ?? error)
function profile(name: string, text: string): string {
  mkdirSync(join(user, name), { recursive: true })
  writeFileSync(join(user, name, 'Containerfile'), text)
  return join(user, name, 'Containerfile')
}
const read = (name: string) => readFileSync(join(user, name, 'Containerfile'), 'utf8')

it.each([
  [['profile']], [['profile', 'nonsense']], [['profile', 'new']], [['profile', 'duplicate', 'a']], [['profile', 'rename', 'a']], [['profile', 'set', 'a']], [['profile', 'delete']],
  [['profile', 'import']], [['profile', 'export', 'a']], [['profile', 'lint', 'a', 'b']], [['upgrade', '--min-age', 'x']], [['upgrade', '--min-age', '-1']], [['upgrade', 'a', 'b']],
])('%j is a wrong use, ends with 2 and makes nothing', async (argv) => {
  expect(await paddock(...argv)).toBe(2)
  expect(err).not.toBe('')
  expect(existsSync(user)).toBe(false)
})

describe('set', () => {
  it('tells its keys when asked for help', async () => {
    expect(await paddock('profile', 'set', '--help')).toBe(0)
    const keys = out.slice(out.indexOf('Keys:\n') + 6).split('\n').flatMap((line) => /^ {2}([a-z ]+?) {2}/.exec(line)?.[1]?.split(' ') ?? [])
    expect(keys.sort()).toEqual([...fieldKeys].sort())
  })

  it('changes several fields at once, in the text only what has to change, and says what it means', async () => {
    await paddock('profile', 'duplicate', 'minimal', 'mine')
    const before = read('mine')
    expect(await paddock('profile', 'set', 'mine', 'ram=4g', 'egress=deny', 'apt+=jq')).toBe(0)
    expect(read('mine')).toBe(
      before
        .replace('ram_mib=2048', 'ram_mib=4096')
        .replace('--network pasta', '--network none')
        .replace('krun.cpus=2 \\\n', 'krun.cpus=2 \\\n--annotation dev.paddock.egress=deny \\\n')
        .replace('git openssh-server', 'git openssh-server jq'),
    )
    expect(out).toBe(`${join(user, 'mine/Containerfile')}\n`)
    expect(err).toContain('Rebuild needed')
  })

  it.each<[assignments: string[], field: string, value: unknown]>([
    [['ram=4096'], 'ram', 4096], [['ram=1.5GiB'], 'ram', 1536], [['cpus=3'], 'cpus', 3], [['pids=9'], 'pids', 9], [['tmp=1g'], 'tmp', '1g'], [['tmp=1GiB'], 'tmp', '1G'],
    [['desktop=on'], 'desktop', true], [['desktop=on', 'desktop=off'], 'desktop', false], [['egress=deny', 'egress='], 'egress', null],
    [['home=own'], 'home', 'mine'], [['home=own', 'home=shared'], 'home', 'default'], [['workdir=/srv/x'], 'workdir', '/srv/x'], [['base=debian:trixie'], 'base', 'debian:trixie'],
    [['apt-=git'], 'apt', ['ca-certificates', 'openssh-server']], [['apt+=jq,fd-find'], 'apt', ['ca-certificates', 'git', 'openssh-server', 'jq', 'fd-find']],
    [['npm+=tsx@4.20.5', 'npm+=tsx@4.20.6'], 'npm', ['tsx@4.20.6']], [['agents+=codex@0.171.0'], 'agents', ['codex@0.171.0']], [['pip+=httpie==3.2.4'], 'pip', ['httpie==3.2.4']], [['uv+=ruff==0.14.6'], 'uv', ['ruff==0.14.6']],
    [['env+=A=b=c, d', 'env-=USER', 'env-=LOGNAME', 'env-=SHELL', 'env-=LANG', 'env-=TERM', 'env-=COLORTERM'], 'env', [{ name: 'A', value: 'b=c, d' }]],
    [['mounts+=~/data:/data'], 'mounts', [{ source: '$HOME/data', target: '/data', readOnly: true }]], [['mounts+=/a:/b:rw', 'mounts+=/a:/b'], 'mounts', [{ source: '/a', target: '/b', readOnly: true }]],
    [['mounts+=/a:/b', 'mounts-=/b'], 'mounts', []], [['ports+=3000,80:8080'], 'ports', ['127.0.0.1:3000:3000', '127.0.0.1:80:8080']], [['flags+=--hostname web', 'flags-=--hostname web', 'flags+=--umask 077'], 'flags', expect.arrayContaining(['--umask 077'])],
  ])('%j', async (assignments, field, value) => {
    await paddock('profile', 'duplicate', 'minimal', 'mine')
    expect(await paddock('profile', 'set', 'mine', ...assignments)).toBe(0)
    await paddock('profile', 'show', 'mine', '--json')
    expect(JSON.parse(out).fields[field].value).toEqual(value)
  })

  it.each(['ram', 'ram=lots', 'ram+=1', 'cpus=x', 'egress=some', 'desktop=maybe', 'nonsense=1', 'apt+=jq;reboot', 'mounts+=x', 'ports+=http', 'env+=1=2', 'home=a/b', 'base='])('%s is refused, and nothing of the rest is written', async (assignment) => {
    await paddock('profile', 'duplicate', 'minimal', 'mine')
    const before = read('mine')
    expect(await fails('profile', 'set', 'mine', 'pids=77', assignment)).toMatchObject({ code: 'usage', message: expect.stringMatching(/\.$/) })
    expect(read('mine')).toBe(before)
  })

  it('copies a bundled profile first, and makes none when nothing changes', async () => {
    await paddock('profile', 'set', 'minimal', 'ram=2048')
    expect(existsSync(user)).toBe(false)
    expect(await paddock('profile', 'set', 'minimal', 'ram=1024', '--json')).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ isCopy: true, isChanged: true, file: join(user, 'minimal/Containerfile'), preview: { effect: 'next-launch' } })
    expect(read('minimal')).toContain('krun.ram_mib=1024')
  })

  it('writes out the label that a profile inherits', async () => {
    profile('web', 'FROM localhost/paddock:latest\n')
    await paddock('profile', 'set', 'web', 'ram=4096')
    expect(read('web')).toContain('--annotation krun.ram_mib=4096 \\\n')
    expect(read('web')).toContain('--cap-drop ALL \\\n')
    await paddock('profile', 'set', 'web', 'ram=8192')
    expect(read('web')).toBe('FROM localhost/paddock:latest\n')
  })
})

describe('lint', () => {
  it('prints a finding a line and exits 1 on errors', async () => {
    const file = profile('web', 'FROM node:24\nRUN npm i -g pnpm\nCOPY gone /\nLABEL run="podman run -v $PWD:/x --privileged IMAGE"\n')
    expect(await paddock('profile', 'lint', 'web')).toBe(1)
    const lines = out.trimEnd().split('\n')
    expect(lines.every((line) => /^\/[^:]+:\d+: (error|warning|note): \S.*\.$/.test(line))).toBe(true)
    expect(lines).toContain(`${file}:2: error: pnpm is installed without an exact version. Whatever is published under that name next is built in, a stolen account’s work too.`)
    expect(lines.filter((line) => line.startsWith(`${file}:4: error:`)).join('\n')).toMatch(/\$PWD needs a backslash[\s\S]*--privileged/)
    expect(lines.join('\n')).toContain(`${file}:3: error: gone is not in the profile’s folder.`)
  })

  it('exits 0 where there are none, or only what is worth knowing', async () => {
    expect(await paddock('profile', 'lint')).toBe(0)
    expect(out).toBe('')
    await paddock('profile', 'set', 'minimal', 'ports+=3000')
    expect(await paddock('profile', 'lint', 'minimal', '--json')).toBe(0)
    expect(JSON.parse(out)).toMatchObject([{ level: 'note', rule: 'publish', line: expect.any(Number), column: 1 }])
  })
})

describe('edit', () => {
  /** An editor that appends a line, or does nothing. */
  function editor(script: string): void {
    const file = join(folder, 'my editor')
    writeFileSync(file, `#!/bin/sh\n${script}\n`)
    chmodSync(file, 0o755)
    vi.stubEnv('VISUAL', `'${file}' --wait`)
  }

  it('gives the person’s own file to the editor, word by word, and checks it afterwards', async () => {
    editor('[ "$1" = --wait ] && [ $# = 2 ] || exit 9\necho "RUN npm i -g pnpm" >> "$2"')
    expect(await paddock('profile', 'edit', 'minimal')).toBe(1)
    expect(out).toMatch(/npm-|without an exact version/)
    expect(read('minimal')).toContain('RUN npm i -g pnpm')
    expect(err).toContain('your own copy')
  })

  it('takes a copy back in which nothing was changed', async () => {
    editor('exit 0')
    expect(await paddock('profile', 'edit', 'minimal')).toBe(0)
    expect(existsSync(join(user, 'minimal'))).toBe(false)
  })

  it('ends as the editor does when that fails, and says when there is none', async () => {
    profile('web', 'FROM localhost/paddock:latest\n')
    editor('exit 7')
    expect(await paddock('profile', 'edit', 'web')).toBe(7)
    vi.stubEnv('VISUAL', '/no/such/editor; touch /tmp/never')
    expect(await fails('profile', 'edit', 'web')).toMatchObject({ code: 'usage', message: expect.stringContaining('cannot be started') })
  })
})

it('new, duplicate, rename, import, export and delete print where things are', async () => {
  expect(await paddock('profile', 'new', 'web', '--from', 'minimal')).toBe(0)
  expect(out).toBe(`${join(user, 'web/Containerfile')}\n`)
  await paddock('profile', 'duplicate', 'web', 'two', '--json')
  expect(JSON.parse(out)).toEqual({ name: 'two', file: join(user, 'two/Containerfile'), notes: [] })
  await paddock('profile', 'rename', 'two', 'three')
  expect(out).toBe(`${join(user, 'three/Containerfile')}\n`)
  await paddock('profile', 'export', 'three', 'out')
  expect(out).toBe(`${join(folder, 'out')}\n`)
  await paddock('profile', 'import', 'out', '--name', 'four')
  expect(out).toBe(`${join(user, 'four/Containerfile')}\n`)
  await paddock('profile', 'delete', 'four')
  expect(err).toContain('to the trash')
  expect(existsSync(join(user, 'four'))).toBe(false)
  expect(await fails('profile', 'delete', 'four')).toMatchObject({ code: 'profile-unknown' })
})

describe('upgrade', () => {
  const file = `# npm: tool\nARG TOOL_VERSION=1.0.0\nARG TOOL_INTEGRITY=${integrityOf('old')}\nFROM localhost/paddock:minimal\n`

  it('--check tells and exits 1; without it the pins are written', async () => {
    const registry = await createNpmRegistry()
    try {
      registry.publish('tool', { '1.0.0': { ageDays: 99 }, '1.1.0': { ageDays: 9 }, '1.2.0': { ageDays: 1 } })
      vi.stubEnv('npm_config_registry', registry.url)
      vi.stubEnv('npm_config_cache', join(folder, 'npm-cache'))
      profile('web', file)
      expect(await paddock('upgrade', 'web', '--check', '--json')).toBe(1)
      expect(JSON.parse(out)).toMatchObject({ pins: [{ npm: 'tool', current: '1.0.0', next: { version: '1.1.0', ageDays: 9 }, held: { version: '1.2.0', ageDays: 1 } }], written: [] })
      expect(read('web')).toBe(file)
      expect(await paddock('upgrade', 'web', '--min-age', '0')).toBe(0)
      expect(read('web')).toContain('ARG TOOL_VERSION=1.2.0\n')
      expect(await paddock('upgrade', 'web', '--check', '--min-age', '0')).toBe(0)
      expect(err).toContain('up to date')
      registry.answer('tool', { kind: 'status', status: 500 })
      const before = read('web')
      expect(await paddock('upgrade', 'web')).toBe(125)
      expect(err).toMatch(/no answer to trust for tool: .*500.* Nothing was changed\./)
      expect(read('web')).toBe(before)
    } finally {
      await registry.close()
    }
    // npm is started for each look at the registry.
  }, 60_000)
})
