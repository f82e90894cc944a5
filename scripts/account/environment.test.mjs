import { describe, expect, it } from 'vitest'
import { accountEnvironment, accountPath } from './environment.mjs'
import { enterCommand } from './enter-command.mjs'

const account = { name: 'paddock', uid: 1001, gid: 1001, home: '/home/paddock', shell: '/bin/bash' }
const enter = (environment, more = {}) =>
  accountEnvironment({
    environment,
    account,
    runtimeFolder: '/run/user/1001',
    hasSessionBus: false,
    cwd: '/typed/here',
    canEnter: () => true,
    ...more,
  })

describe('the environment of the account', () => {
  it('is the account’s own where it says who runs', () => {
    expect(
      enter({
        HOME: '/root',
        USER: 'root',
        XDG_RUNTIME_DIR: '/run/user/0',
        XDG_CACHE_HOME: '/root/c',
        SUDO_USER: 'me',
      }),
    ).toEqual({
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      HOME: '/home/paddock',
      USER: 'paddock',
      LOGNAME: 'paddock',
      SHELL: '/bin/bash',
      XDG_RUNTIME_DIR: '/run/user/1001',
      INIT_CWD: '/typed/here',
      PADDOCK_CWD: '/typed/here',
    })
  })

  it('keeps proxies, CA files, the terminal and settings of ours and npm’s', () => {
    const kept = {
      https_proxy: 'http://p',
      NODE_EXTRA_CA_CERTS: '/ca',
      TERM: 'xterm',
      CI: 'true',
      PADDOCK_ISOLATION: 'container',
      npm_config_cafile: '/ca',
      npm_config_nodedir: '/usr',
    }
    expect(enter(kept)).toMatchObject(kept)
  })

  it('drops npm settings that name root’s own files', () => {
    const names = Object.keys(
      enter({
        npm_config_userconfig: '/root/.npmrc',
        npm_config_cache: '/root/.npm',
        npm_config_prefix: '/usr',
        'npm_config_init-module': '/root/x',
        npm_lifecycle_event: 'test',
      }),
    )
    expect(names.filter((name) => name.startsWith('npm_'))).toEqual([])
  })

  it('has no display of root’s, which is closed to the account', () => {
    for (const display of ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY'])
      expect(enter({ [display]: ':0' })).not.toHaveProperty(display)
  })

  it('names the account’s session bus when there is one', () => {
    expect(enter({}, { hasSessionBus: true }).DBUS_SESSION_BUS_ADDRESS).toBe('unix:path=/run/user/1001/bus')
    expect(enter({ DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/user/0/bus' })).not.toHaveProperty(
      'DBUS_SESSION_BUS_ADDRESS',
    )
  })

  it('has a search path without folders that only root may enter', () => {
    expect(accountPath('/root/bin:/work/node_modules/.bin:bin:/opt/x', (folder) => !folder.startsWith('/root'))).toBe(
      '/opt/x:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    )
  })
})

describe('becoming the account', () => {
  it('changes user and groups, and starts nothing in between', () => {
    expect(enterCommand({ account, argv: ['node', 'a b'] })).toEqual([
      'setpriv',
      '--reuid=1001',
      '--regid=1001',
      '--init-groups',
      '--',
      'node',
      'a b',
    ])
  })

  it('hides cgroup version 2 first where that is needed', () => {
    expect(enterCommand({ account, hideScript: '/s.sh', argv: ['node'] }).slice(0, 8)).toEqual([
      'unshare',
      '--mount',
      '--propagation',
      'private',
      '--',
      'sh',
      '/s.sh',
      '/sys/fs/cgroup/unified',
    ])
  })
})
