import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  containersConf,
  hostPaths,
  isToolchainCurrent,
  podmanWrapper,
  recipeVersion,
  stampFile,
} from './toolchain-files.mjs'

let folder
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "paddock's tool chain-"))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('the podman wrapper', () => {
  it('adds its settings, keeps the person’s, and passes arguments and exit code on', () => {
    mkdirSync(join(folder, 'root/usr/bin'), { recursive: true })
    const podman = join(folder, 'root/usr/bin/podman')
    writeFileSync(
      podman,
      '#!/bin/sh\nprintf "%s|%s|%s\\n" "$CONTAINERS_CONF_OVERRIDE" "$CONTAINERS_CONF" "$*"\nprintf "%s\\n" "$PATH"\n',
    )
    const wrapper = join(folder, 'podman')
    writeFileSync(wrapper, podmanWrapper(folder))
    for (const file of [podman, wrapper]) chmodSync(file, 0o755)
    const output = execFileSync(wrapper, ['run', 'a b'], {
      encoding: 'utf8',
      env: { PATH: '/usr/bin:/bin', CONTAINERS_CONF: '/own.conf' },
    })
    expect(output).toBe(`${folder}/containers.conf|/own.conf|run a b\n${folder}/bin:/usr/bin:/bin:/usr/sbin:/sbin\n`)
  })
})

describe('the settings of the toolchain', () => {
  it('makes cgroups itself only where systemd cannot', () => {
    expect(containersConf('/t/root', false)).toContain('cgroup_manager = "cgroupfs"')
    expect(containersConf('/t/root', true)).not.toContain('cgroup_manager')
  })
})

describe('the stamp', () => {
  it('tells a half made toolchain and an old recipe from a current one', () => {
    expect(isToolchainCurrent(folder)).toBe(false)
    writeFileSync(stampFile(folder), `${recipeVersion - 1}\n`)
    expect(isToolchainCurrent(folder)).toBe(false)
    writeFileSync(stampFile(folder), `${recipeVersion}\n`)
    expect(isToolchainCurrent(folder)).toBe(true)
  })
})

describe('the account’s folders', () => {
  it('follow XDG_CACHE_HOME unless it is relative', () => {
    expect(hostPaths('/home/a', { XDG_CACHE_HOME: '/c' }).toolchain).toBe('/c/paddock/toolchain')
    expect(hostPaths('/home/a', { XDG_CACHE_HOME: 'c' }).toolchain).toBe('/home/a/.cache/paddock/toolchain')
  })
})
