import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type FieldName, type FieldValue, parseProfile, setField } from './profile-form.ts'

const minimal = readFileSync(new URL('../../../profiles/minimal/Containerfile', import.meta.url), 'utf8')
const ownLabel = /LABEL run="([\s\S]*)"/.exec(minimal)![1]!.replaceAll('\\\n', '').replaceAll('\\$', '$')
const child = 'FROM localhost/paddock:minimal\nRUN echo hi\n'

function set<N extends FieldName>(text: string, name: N, value: FieldValue<N>, context = {}): string {
  const result = setField(text, name, value, context)
  if (!result.ok) throw new Error(result.why)
  return result.text
}
const why = <N extends FieldName>(text: string, name: N, value: FieldValue<N>) => {
  const result = setField(text, name, value)
  return result.ok ? null : result.why
}

it('changes one number and nothing else', () => {
  expect(set(minimal, 'ramMib', 4096)).toBe(minimal.replace('krun.ram_mib=2048', 'krun.ram_mib=4096'))
})

it('puts a new option on a line of its own, where its like are', () => {
  expect(set(minimal, 'egress', 'open')).toBe(minimal.replace('krun.cpus=2 \\\n', 'krun.cpus=2 \\\n--annotation dev.paddock.egress=open \\\n'))
})

describe('what an allowlist allows', () => {
  const listed = minimal.replace('krun.cpus=2 \\\n', 'krun.cpus=2 \\\n--annotation dev.paddock.egress-allow=@npm,example.org \\\n')

  it('is one annotation, in which only the changed word changes', () => {
    expect(set(minimal, 'allow', ['@npm', 'example.org'])).toBe(listed)
    expect(set(listed, 'allow', ['@npm'])).toBe(listed.replace('@npm,example.org', '@npm'))
    expect(set(listed, 'allow', [])).toBe(minimal)
    expect(parseProfile(listed).values.allow).toMatchObject({ kind: 'value', value: ['@npm', 'example.org'] })
  })

  it('stays in several annotations where it was in several', () => {
    const two = listed.replace('@npm,example.org', '@npm \\\n--annotation dev.paddock.egress-allow=example.org')
    expect(set(two, 'allow', ['@npm', 'example.org', '@go'])).toBe(two.replace('=example.org', '=example.org,@go'))
    expect(set(two, 'allow', ['example.org'])).toBe(two.replace('--annotation dev.paddock.egress-allow=@npm \\\n', ''))
  })

  it.each([['@nothing', /no such list/], ['10.0.0.1', /opens nothing/], ['https://example.org', /without http/], ['metadata.goog', /metadata/]])('%s is refused', (word, reason) => {
    expect(why(minimal, 'allow', [word])).toMatch(reason)
  })
})

describe('egress', () => {
  const closed = minimal.replace('--network pasta', '--network none').replace('krun.cpus=2 \\\n', 'krun.cpus=2 \\\n--annotation dev.paddock.egress=deny \\\n')

  it('takes the network with it, for plain Podman knows no modes, and brings it back', () => {
    expect(set(minimal, 'egress', 'deny')).toBe(closed)
    expect(set(closed, 'egress', 'allowlist')).toBe(closed.replace('egress=deny', 'egress=allowlist'))
    expect(set(closed, 'egress', null)).toBe(minimal)
    expect(set('FROM x:1\nLABEL run="podman run IMAGE"', 'egress', 'deny')).toBe('FROM x:1\nLABEL run="podman run --network none --annotation dev.paddock.egress=deny IMAGE"')
  })

  it('is deny where a label has no network', () => {
    const none = minimal.replace('--network pasta', '--network none')
    expect(parseProfile(none).values.egress).toMatchObject({ kind: 'value', value: 'deny' })
    expect(set(none, 'egress', 'open')).toBe(set(minimal, 'egress', 'open'))
  })

  it.each(['host', 'bridge', 'pasta:-T,auto'])('leaves a network of the label’s own alone: %s', (network) => {
    const own = minimal.replace('--network pasta', `--network ${network}`)
    expect(why(own, 'egress', 'deny')).toBe(`--network ${network} is the label’s own, and this mode has none.`)
    expect(set(own, 'egress', 'open')).toContain(`--network ${network}`)
  })
})

it.each<[FieldName, unknown]>([['ramMib', null], ['cpus', null], ['pids', null], ['workdir', null], ['home', null]])('puts %s back where Paddock’s own labels have it', (name, value) => {
  const before = parseProfile(minimal).values[name]
  const without = set(minimal, name, value as never)
  expect(without).not.toBe(minimal)
  expect(set(without, name, (before as { value: unknown }).value as never)).toBe(minimal)
})

it('adds a package to the list that is there, and a step where none is', () => {
  expect(set(minimal, 'apt', ['ca-certificates', 'git', 'openssh-server', 'jq'])).toBe(minimal.replace('git openssh-server', 'git openssh-server jq'))
  expect(set(child, 'apt', ['jq'])).toBe(`FROM localhost/paddock:minimal\nRUN echo hi\n\nRUN apt-get update \\\n && apt-get install -y --no-install-recommends jq \\\n && rm -rf /var/lib/apt/lists/*\n`)
  expect(set('FROM x:1\nUSER ai\nRUN y\n', 'npm', ['tsx@4.20.6'])).toBe('FROM x:1\n\nRUN npm install --global --no-audit --no-fund tsx@4.20.6\nUSER ai\nRUN y\n')
})

it('gives a package another version in its place', () => {
  expect(set('FROM x:1\nRUN npm i -g a@1.0.0 b@2.0.0\n', 'npm', ['a@1.1.0', 'b@2.0.0'])).toBe('FROM x:1\nRUN npm i -g a@1.1.0 b@2.0.0\n')
})

it('adds mounts read-only when asked, and paths that --volume cannot carry through --mount', () => {
  const text = set('FROM x:1\nLABEL run="podman run IMAGE"\n', 'mounts', [{ source: '$HOME/a', target: '/a', readOnly: true }, { source: '/srv/b:c', target: '/b', readOnly: true }])
  expect(text).toBe('FROM x:1\nLABEL run="podman run --volume \\$HOME/a:/a:ro,z --mount type=bind,source=/srv/b:c,destination=/b,relabel=shared,ro IMAGE"\n')
})

describe('a label that the image below hands down', () => {
  const context = { inheritedLabel: ownLabel }

  it('is shown, and written out when a field of it is changed', () => {
    expect(parseProfile(child, context).values.ramMib).toEqual({ kind: 'value', value: 2048, span: null, isInherited: true })
    const text = set(child, 'ramMib', 4096, context)
    expect(text.startsWith('FROM localhost/paddock:minimal\nRUN echo hi\n\nLABEL run="podman run \\\n--rm \\\n')).toBe(true)
    expect(text).toContain('--annotation krun.ram_mib=4096 \\\n')
    expect(text).toContain('--volume \\$PWD:/home/ai/sandbox:z \\\n')
    expect(parseProfile(text, context).values.pids).toMatchObject({ value: 512, isInherited: false })
  })

  it('goes again when the change is taken back', () => {
    expect(set(set(child, 'ramMib', 4096, context), 'ramMib', 2048, context)).toBe(child)
  })

  it('is not needed for packages', () => {
    expect(set(child, 'pip', ['rich'], context)).not.toContain('LABEL')
  })
})

describe('what would do damage is refused with a reason', () => {
  it.each<[what: string, reason: string | null]>([
    ['no label', why(child, 'ramMib', 4096)],
    ['a value of a variable', why('ARG R=1\nFROM x:1\nARG R=1\nLABEL run="podman run --pids-limit $R IMAGE"', 'pids', 2)],
    ['quotes that cannot hold it', why("FROM x:1\nLABEL run='podman run --workdir /a IMAGE'", 'workdir', "/it's")],
    ['options in one word', why('FROM x:1\nLABEL run="podman run -itw /a IMAGE"', 'workdir', null)],
    ['the last package of a step that does more', why('FROM x:1\nRUN apt-get install -y git && make', 'apt', [])],
    ['another package manager', why('FROM alpine:3\nRUN apk add git', 'apt', ['jq'])],
    ['a pinned agent', why('# npm: @openai/codex\nARG CODEX_VERSION=1.0.0\nARG CODEX_INTEGRITY=sha512-x\nFROM x:1', 'agents', [])],
    ['a base of several stages', why('ARG B=a:1\nFROM $B AS x\nFROM $B', 'base', 'b:1')],
    ['no number', why(minimal, 'ramMib', 1.5)],
    ['too little', why(minimal, 'ramMib', 1)],
    ['a port that there is not', why(minimal, 'ports', ['127.0.0.1:99999:80'])],
    ['a /tmp larger than any machine', why(minimal, 'tmpSize', '99999999999999g')],
    ['a /tmp of nothing', why(minimal, 'tmpSize', '1b')],
    ['a limit below nothing', why(minimal, 'flags', ['--memory -1'])],
    ['a path with a variable', why(minimal, 'workdir', '/$X')],
    ['the place of the home', why(minimal, 'mounts', [{ source: '/a', target: '/home/ai', readOnly: true }])],
    ['a flag that has a field', why(minimal, 'flags', ['--pids-limit 5'])],
    ['two flags in one', why(minimal, 'flags', ['--read-only --privileged'])],
    ['a shell in a package', why(minimal, 'apt', ['git; rm -rf /'])],
    ['a newline in a variable', why(minimal, 'environment', [{ name: 'A', value: 'b\nRUN evil' }])],
  ])('%s', (_what, reason) => {
    expect(reason).toMatch(/^\S.*\.$/)
  })
})
