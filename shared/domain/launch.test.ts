import { describe, expect, it } from 'vitest'
import { capsOf } from './caps.ts'
import { type LaunchChoices, planLaunch, withoutOwnOptions } from './launch.ts'
import { parseRunArguments } from './run-flags.ts'
import { formatRunCommand, parseRunLabel } from './run-label.ts'

const label = 'podman run -it --rm --runtime krun --annotation krun.use_passt=1 --annotation krun.ram_mib=2048 --annotation krun.cpus=2 --user ai img shell'
const choices: LaunchChoices = {
  launchId: 'id-1', profile: 'minimal', project: '/work/app', isolation: 'microvm', egress: 'open', tty: true, command: [], caps: capsOf(parseRunLabel(label).options),
  cidFile: '/state/id-1/container-id', bootIdFile: '/state/id-1/boot-id', channelFolder: '/state/id-1/channel', avoidPasst: false, proxyPort: null, caFile: null, canLimit: { memory: true, cpus: true },
}
const plan = (changed: Partial<LaunchChoices> = {}, from = label) => formatRunCommand(planLaunch(parseRunLabel(from), { ...choices, ...changed }))
const own = [
  '--label=dev.paddock.launch=id-1', '--label=dev.paddock.profile=minimal', '--label=dev.paddock.project=/work/app', '--cidfile=/state/id-1/container-id',
  '--volume=/state/id-1/boot-id:/run/paddock/boot-id:z', '--volume=/state/id-1/channel:/run/paddock/channel:ro,z',
]

describe('planLaunch', () => {
  it('keeps the whole label and adds only Paddock’s own options', () => {
    const kept = formatRunCommand(parseRunLabel(label))
    expect(plan()).toEqual([...kept.slice(0, -2), ...own, 'img', 'shell'])
  })

  it('puts the person’s command in place of the label’s', () => {
    expect(plan({ command: ['echo', '--rm', ''] }).slice(-4)).toEqual(['img', 'echo', '--rm', ''])
  })

  it.each(['-it', '--interactive --tty', '-i --tty=true', '-i -t -t'])('without a terminal leaves --tty out and stdin open: %s', (spelled) => {
    const words = plan({ tty: false }, label.replace('-it', spelled))
    expect(words).toContain('--interactive')
    expect(words.filter((word) => word.startsWith('--tty'))).toEqual([])
  })

  it.each(['--detach', '-d', '--detach=true', '-itd'])('stays with its sandbox, whatever the label says: %s', (spelled) => {
    const words = plan({}, label.replace('-it', `-it ${spelled}`))
    expect(words.filter((word) => word.startsWith('--detach'))).toEqual([])
    expect(words).toContain('--tty')
  })

  it.each(['--restart always', '--restart=on-failure:3', '--restart unless-stopped', '--health-on-failure restart'])('leaves no new start to Podman: %s', (spelled) => {
    expect(plan({}, label.replace('--rm', `--rm ${spelled}`))).toEqual(plan())
  })

  it.each(['--restart=no', '--health-on-failure=kill'])('keeps what starts nothing: %s', (spelled) => {
    expect(plan({}, label.replace('--rm', `--rm ${spelled}`))).toContain(spelled)
  })

  describe('with an allowlist', () => {
    const listed = (changed: Partial<LaunchChoices> = {}) => plan({ egress: 'allowlist', proxyPort: 20_001, ...changed }, label.replace('-it', '-it --network pasta --publish 80:80 --annotation krun.use_passt=1'))

    it('leads the loopback to its port of the proxy, opens no port, and tells programs of it', () => {
      const words = listed()
      expect(words.filter((word) => /^--(network|publish|http-proxy)/.test(word))).toEqual(['--network=pasta:-T,3128:20001', '--http-proxy=false'])
      expect(words).toEqual(expect.arrayContaining(['--env=http_proxy=http://127.0.0.1:3128', '--env=NO_PROXY=localhost,127.0.0.1,::1', '--env=NODE_USE_ENV_PROXY=1']))
      expect(words.join('\n')).toMatch(/JAVA_TOOL_OPTIONS=.*-Dhttps\.proxyPort=3128/)
    })

    it('is TSI in a microVM, whose loopback is the namespace’s', () => {
      expect(listed({ isolation: 'microvm' })).toContain('--annotation=krun.use_passt=0')
    })

    it('has programs trust the authorities of a company', () => {
      const words = listed({ caFile: '/state/id-1/ca.crt' })
      expect(words).toEqual(expect.arrayContaining(['--volume=/state/id-1/ca.crt:/run/paddock/ca.crt:ro,z', '--env=SSL_CERT_FILE=/run/paddock/ca.crt', '--env=NODE_EXTRA_CA_CERTS=/run/paddock/ca.crt']))
    })

    it('leaves no word of its proxy in a command to run again, and no network', () => {
      const again = withoutOwnOptions(listed({ caFile: '/state/id-1/ca.crt' }))
      expect(again.join('\n')).not.toMatch(/3128|20001|ca\.crt/)
      expect(again.filter((word) => word.startsWith('--network'))).toEqual(['--network=none'])
    })
  })

  it('carries odd paths of its own in one argument', () => {
    const words = plan({ project: '/work/a b:c\nd', bootIdFile: '/state/a:b/boot-id', channelFolder: '/state/a:b/channel' })
    expect(words).toContain('--label=dev.paddock.project=/work/a b:c\nd')
    expect(words).toContain('--mount=type=bind,source=/state/a:b/boot-id,destination=/run/paddock/boot-id,relabel=shared')
    expect(words).toContain('--mount=type=bind,source=/state/a:b/channel,destination=/run/paddock/channel,ro=true,relabel=shared')
  })

  it('wins over a label that claims Paddock’s own names: its options come last', () => {
    const words = plan({}, 'podman run --label dev.paddock.profile=other --cidfile /x img')
    expect(words.filter((word) => word.startsWith('--label=dev.paddock.profile='))).toEqual(['--label=dev.paddock.profile=other', '--label=dev.paddock.profile=minimal'])
    expect(words.filter((word) => word.startsWith('--cidfile='))).toEqual(['--cidfile=/x', '--cidfile=/state/id-1/container-id'])
  })
})

describe('a desktop', () => {
  const wanting = (value: string) => label.replace('--user ai', `--annotation dev.paddock.desktop=${value} --user ai`)
  it('is started where the label wants one, and nowhere else', () => {
    expect(plan({}, wanting('true'))).toContain('--env=PADDOCK_DESKTOP=1')
    for (const from of [label, wanting('false'), wanting('yes')]) expect(plan({}, from).join(' ')).not.toContain('PADDOCK_DESKTOP')
  })
  it('is not asked for by the command that is run again without Paddock', () => {
    expect(withoutOwnOptions(plan({}, wanting('true'))).join(' ')).not.toContain('PADDOCK_DESKTOP')
  })
})

describe('a microVM', () => {
  const runtimes = (words: string[]) => words.filter((word) => word.startsWith('--runtime'))
  it.each([label, label.replace('--runtime krun', ''), label.replace('krun ', 'crun '), label.replace('--runtime krun', '--runtime crun --runtime runc')])('is asked of krun, once: %s', (from) => {
    expect(runtimes(plan({}, from))).toEqual(['--runtime=krun'])
  })

  it('takes its limits from annotations, not from control groups', () => {
    expect(plan().filter((word) => /^--(memory|cpus)/.test(word))).toEqual([])
  })

  it('goes through TSI where passt does not work, and only there', () => {
    expect(plan({ avoidPasst: true })).toContain('--annotation=krun.use_passt=0')
    expect(plan({ avoidPasst: true })).not.toContain('--annotation=krun.use_passt=1')
    expect(plan({ avoidPasst: false })).toContain('--annotation=krun.use_passt=1')
  })
})

describe('a container', () => {
  const container = (changed: Partial<LaunchChoices> = {}, from = label) => plan({ isolation: 'container', ...changed }, from)

  it('runs under crun where the label says krun, and under the label’s own runtime elsewhere', () => {
    expect(container()).toContain('--runtime=crun')
    expect(container()).not.toContain('--runtime=krun')
    expect(container({}, label.replace('krun ', 'runc '))).toContain('--runtime=runc')
    expect(container({}, label.replace('--runtime krun', '')).filter((word) => word.startsWith('--runtime'))).toEqual([])
  })

  it.each([
    [{ memory: true, cpus: true }, ['--memory=2048m', '--cpus=2']],
    [{ memory: true, cpus: false }, ['--memory=2048m']],
    [{ memory: false, cpus: true }, ['--cpus=2']],
    [{ memory: false, cpus: false }, []],
  ])('gets the caps as limits where the host can hold them: %j', (canLimit, limits) => {
    expect(container({ canLimit }).filter((word) => /^--(memory|cpus)/.test(word))).toEqual(limits)
  })

  it('keeps limits that the label sets for containers', () => {
    const words = container({}, label.replace('--rm', '--rm -m 512m --cpus 1'))
    expect(words.filter((word) => /^--(memory|cpus)/.test(word))).toEqual(['--memory=512m', '--cpus=1'])
  })

  it('gets no limit that the label does not set', () => {
    const none = { ramMib: null, cpus: null, tmpSize: null, pids: null }
    expect(container({ caps: none }).filter((word) => /^--(memory|cpus)/.test(word))).toEqual([])
  })

  it('does not care about passt', () => {
    expect(container({ avoidPasst: true })).toContain('--annotation=krun.use_passt=1')
  })
})

describe('egress', () => {
  const networked = label.replace('--rm', '--rm --network pasta --dns 1.1.1.1 -p 80 --publish-all')
  const words = (egress: LaunchChoices['egress'], from = networked) => plan({ egress }, from).filter((word) => /^--(network|dns|publish)/.test(word))
  it.each(['deny', 'allowlist'] as const)('%s takes the network away, and what means nothing without one', (egress) => {
    expect(words(egress)).toEqual(['--network=none'])
    expect(words(egress, label)).toEqual(['--network=none'])
    expect(words(egress, label.replace('--rm', '--network host --network other'))).toEqual(['--network=none'])
  })

  it('open leaves the label’s network, and gives one where there is none', () => {
    expect(words('open')).toEqual(['--network=pasta', '--dns=1.1.1.1', '--publish=80', '--publish-all'])
    expect(words('open', label)).toEqual([])
    expect(words('open', label.replace('--rm', '--network none'))).toEqual(['--network=pasta'])
  })

  it('puts the network where the label has it', () => {
    expect(plan({ egress: 'deny' }, networked)).toEqual(plan({ egress: 'open' }, networked.replace('--network pasta --dns 1.1.1.1 -p 80 --publish-all', '--network other')).map((word) => word.replace('=other', '=none')))
  })
})

it('a planned launch parses to what was planned', () => {
  const words = plan({ project: '/a b' })
  const planned = planLaunch(parseRunLabel(label), { ...choices, project: '/a b' })
  expect(words[0]).toBe('run')
  expect(parseRunArguments(words.slice(1))).toEqual(planned)
})

describe('a launch without what is Paddock’s own', () => {
  it.each([
    ['plain', {}],
    ['with an odd path', { project: '/work/a b', bootIdFile: '/state/a:b/boot-id', channelFolder: '/state/a:b/channel' }],
  ])('is the label again: %s', (_what, changed) => {
    expect(withoutOwnOptions(plan(changed))).toEqual(formatRunCommand(parseRunLabel(label)))
  })

  it('loses what only a terminal of the app adds, and keeps the profile’s own labels and mounts', () => {
    const words = ['run', '--sig-proxy=false', '--detach-keys', '', '--label', 'team=a', '--volume', '/a:/b', '--cidfile', '/x', 'img', 'sh']
    expect(withoutOwnOptions(words)).toEqual(['run', '--label', 'team=a', '--volume', '/a:/b', 'img', 'sh'])
  })
})
