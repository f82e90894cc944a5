import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findPaths, userName } from './paths.ts'

const home = homedir()

describe('findPaths', () => {
  it('follows the XDG defaults', () => {
    expect(findPaths({})).toMatchObject({
      home,
      settingsFile: join(home, '.config/paddock/settings.json'),
      userProfilesFolder: join(home, '.config/paddock/profiles'),
      homesFolder: join(home, '.local/share/paddock/homes'),
      defaultHomeFolder: join(home, '.local/share/paddock/homes/default'),
      launchesFolder: join(home, '.local/state/paddock/launches'),
      toolchainPodman: join(home, '.cache/paddock/toolchain/bin/podman'),
      imageFactsFile: join(home, '.cache/paddock/image-facts.json'),
      config: join(home, '.config/paddock'),
      data: join(home, '.local/share/paddock'),
      state: join(home, '.local/state/paddock'),
      cache: join(home, '.cache/paddock'),
    })
  })

  it('follows the variables for config, state and cache', () => {
    const paths = findPaths({ XDG_CONFIG_HOME: '/c', XDG_STATE_HOME: '/s', XDG_CACHE_HOME: '/k' })
    expect(paths).toMatchObject({ config: '/c/paddock', state: '/s/paddock', cache: '/k/paddock', userProfilesFolder: '/c/paddock/profiles', launchesFolder: '/s/paddock/launches' })
  })

  it.each(['', 'relative', './here', '~/x'])('ignores the value %j, as the specification says', (value) => {
    expect(findPaths({ XDG_CONFIG_HOME: value, XDG_STATE_HOME: value, XDG_CACHE_HOME: value })).toEqual(findPaths({}))
  })

  it('has a place for keys where the account has a runtime folder', () => {
    expect(findPaths({ XDG_RUNTIME_DIR: '/run/user/1' }).runtimeKeysFolder).toBe('/run/user/1/paddock/keys')
    expect(findPaths({}).runtimeKeysFolder).toBeNull()
    expect(findPaths({ XDG_RUNTIME_DIR: 'relative' })).toEqual(findPaths({}))
  })

  it('keeps the homes where the run labels name them', () => {
    expect(findPaths({ XDG_DATA_HOME: '/d' })).toEqual(findPaths({}))
  })
})

it('the account has a name', () => {
  expect(userName()).toMatch(/./)
})
