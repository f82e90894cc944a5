import { describe, expect, it } from 'vitest'
import { type SshAccess, sshConfigBlock, sshFileSessionWords, sshHostName } from './ssh-config.ts'

const access: SshAccess = { sandboxId: 'ab12'.repeat(16), podman: '/usr/bin/podman', identityFile: '/s/key', knownHostsFile: '/s/known', hostKeyAlias: 'paddock-guest', env: {} }
const lines = (change: Partial<SshAccess> = {}) => sshConfigBlock({ ...access, ...change }).split('\n').map((line) => line.trim())

describe('a block of an SSH configuration', () => {
  it.each(['Host paddock-ab12ab12ab12', 'User ai', 'HostKeyAlias paddock-guest', 'UserKnownHostsFile "/s/known"', 'GlobalKnownHostsFile /dev/null', 'StrictHostKeyChecking yes', 'UpdateHostKeys no',
    'IdentityFile "/s/key"', 'IdentitiesOnly yes', 'IdentityAgent none', 'ForwardAgent no', 'ForwardX11 no', 'PermitLocalCommand no'])('has %s', (line) => {
    expect(lines()).toContain(line)
  })

  it('goes in through the sandbox’s network namespace, whatever shell the person has', () => {
    const proxy = lines().find((line) => line.startsWith('ProxyCommand'))
    expect(proxy).toMatch(/^ProxyCommand \/bin\/sh -c '.*pid=\$\(\/usr\/bin\/podman container inspect .*exec \/usr\/bin\/podman unshare nsenter --target "\$pid" --net socat .*127\.0\.0\.1:2222/)
  })

  it('holds odd paths', () => {
    const odd = lines({ podman: "/a b/it's 100%/podman", identityFile: '/a b/50%/key' })
    expect(odd).toContain('IdentityFile "/a b/50%%/key"')
    expect(odd.find((line) => line.startsWith('ProxyCommand'))).toContain('100%%/podman')
  })

  it('sends variables in one setting, since only the first counts, and none that is secret or has syntax in it', () => {
    const env = { LANG: 'C.UTF-8', A: 'two words', http_proxy: 'http://u:p@h', API_TOKEN: 'x', Q: 'a"b', D: '$HOME', N: 'a\nb' }
    expect(lines({ env }).filter((line) => line.startsWith('SetEnv'))).toEqual(['SetEnv "LANG=C.UTF-8" "A=two words"'])
    expect(lines().some((line) => line.startsWith('SetEnv'))).toBe(false)
  })

  it('is named as the sandbox is shown', () => {
    expect(sshHostName('0123456789abcdef')).toBe('paddock-0123456789ab')
  })
})

describe('the words that start a file session', () => {
  const files = { identityFile: '/s/50% of it/key', knownHostsFile: '/s/known', hostKeyAlias: 'paddock-guest' }
  const words = sshFileSessionWords(files, ['/a b/podman', 'unshare', 'socat', '-', 'TCP4:127.0.0.1:2222,retry=1'])
  const settings = words.flatMap((word, at) => (word === '-o' ? [words[at + 1]!] : []))

  it.each(['StrictHostKeyChecking yes', 'IdentitiesOnly yes', 'IdentityAgent none', 'ForwardAgent no', 'ForwardX11 no', 'BatchMode yes', 'ControlPath none', 'ClearAllForwardings yes', 'IdentityFile "/s/50%% of it/key"'])('have %s', (setting) => {
    expect(settings).toContain(setting)
  })

  it('read no configuration, go in by the given way, and ask for SFTP', () => {
    expect(words.slice(0, 3)).toEqual(['ssh', '-F', 'none'])
    expect(settings).toContain("ProxyCommand '/a b/podman' unshare socat - TCP4:127.0.0.1:2222,retry=1")
    expect(words.slice(-4)).toEqual(['-s', '--', 'paddock-guest', 'sftp'])
  })
})
