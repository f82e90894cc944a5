import { describe, expect, it } from 'vitest'
import { findingsOf } from './findings.ts'
import { mountSources, resolveLabelPath } from './mount-sources.ts'
import { parseRunLabel } from './run-label.ts'

const parse = (options: string) => parseRunLabel(`podman run ${options} IMAGE`)
const mountLevels = (options: string) => findingsOf(parse(options)).flatMap(({ rule, level }) => (rule === 'mount' ? [level] : []))

describe('mountSources', () => {
  it.each([
    ['-v /a:/b', ['/a']],
    ['--volume=/a:/b:ro,z', ['/a']],
    ['-v /anonymous', []],
    ['-v $PWD:/x:O,upperdir=/up,workdir=/work', ['$PWD', '/up', '/work']],
    ['--mount type=bind,src=/a,dst=/b', ['/a']],
    ['--mount type=bind,dst=/b,source=/a', ['/a']],
    [`--mount 'type=bind,"src=/a,b",dst=/b'`, ['/a,b']],
    [`--mount 'type=bind,"source=/a""b",dst=/b'`, ['/a"b']],
    ['--mount type=tmpfs,dst=/b', []],
    ['--mount type=image,source=other,dst=/b', []],
    ['--mount dst=/x,volume-opt=device=/a,volume-opt=o=bind', ['/a']],
    ['--tmpfs /tmp:size=1m', []],
  ])('%s', (options, sources) => {
    expect(mountSources(parse(options).options).map(({ source }) => source)).toEqual(sources)
  })

  it.each([
    ['-v cache:/b', false],
    ['-v ./cache:/b', true],
    ['--mount type=volume,src=cache,dst=/b', false],
    ['--mount src=cache,dst=/b', false],
    ['--mount type=bind,src=cache,dst=/b', true],
  ])('tells the name of a volume from a path: %s', (options, isPath) => {
    expect(mountSources(parse(options).options)).toMatchObject([{ isPath }])
  })
})

describe('resolveLabelPath', () => {
  it.each([
    ['/', '/'],
    ['//', '/'],
    ['/./a/../', '/'],
    ['/a/b/../c/', '/a/c'],
    ['/../..', '/'],
    ['$HOME', '/$HOME'],
    ['${HOME}/', '/$HOME'],
    ['/$HOME/.', '/$HOME'],
    ['~/x', '/$HOME/x'],
    ['$PWD/a/../b', '/$PWD/b'],
    ['$HOME/..', null],
    ['$PWD/../x', null],
    ['$HOME/a/../../x', null],
    ['../x', null],
    ['.', null],
    ['cache', null],
  ])('%s is %s', (source, resolved) => {
    expect(resolveLabelPath(source)).toBe(resolved)
  })
})

describe('a mount that gives away the host needs an explicit yes', () => {
  const paths = [
    '/', '//', '/.', '/./', '/tmp/..', '$NOTHING/', '/$NOTHING', '/${NOTHING}', '$HOME', '${HOME}', '$HOME/', '$HOME/.', '/$HOME', '$NOTHING$HOME', '~', '~/',
    '$HOME/x/..', '$HOME/..', '$HOME/../x', '$HOME/../$USER', '$PWD/..', '$PWD/../..', '${PWD}/../x', '/home', '/home/someone', '/home/$USER', '/root', '/var/home/someone',
    '$HOME/.ssh', '${HOME}/.ssh', '$HOME/./.ssh', '$HOME//.ssh/', '$HOME/x/../.ssh', '~/.ssh', '/home/someone/.ssh', '/home/$USER/.ssh', '/root/.ssh', '$HOME/.ssh/id_ed25519',
    '$HOME/$NOTHING.ssh', '$HOME/.gnupg', '$HOME/.aws', '$HOME/.kube', '$HOME/.config/gcloud', '$HOME/.docker/config.json', '$HOME/.netrc', '$HOME/.git-credentials',
    '$HOME/.config', '$HOME/.config/paddock', '$HOME/.bashrc', '$HOME/.local', '$HOME/.local/bin', '$HOME/.local/share', '$HOME/.local/share/containers/storage',
    '$HOME/.local/share/paddock', '$HOME/.local/share/paddock/homes', '$HOME/.local/share/paddock/homes/default/link', '$HOME/.local/share/paddock/homes/../../../../.ssh',
    '/run/podman/podman.sock', '/run/user/1000/podman/podman.sock', '/var/run/docker.sock', '/somewhere/podman.sock', '$NOTHING/podman/podman.sock', '/run', '/run/user/1000',
    '/run/user/1000/bus', '/run/user/1000/wayland-0', '/var/run', '/tmp/.X11-unix', '/tmp', '/etc', '/etc/', '/proc', '/proc/self/root', '/proc/1/cwd', '/sys/fs/cgroup', '/dev', '/dev/sda',
    '/usr', '/var', '/var/lib', '/boot', '/opt', '/mnt', '.', './', '..', '../..', './x',
  ]
  it.each(paths)('%s', (path) => {
    expect(mountLevels(`-v ${path}:/x`)).toEqual(['high'])
    expect(mountLevels(`--volume=${path}:/x:ro`)).toEqual(['high'])
    expect(mountLevels(`--mount type=bind,src=${path},dst=/x`)).toEqual(['high'])
    expect(mountLevels(`--mount=type=bind,dst=/x,ro,source=${path}`)).toEqual(['high'])
    expect(mountLevels(`--mount 'type=bind,"source=${path}",dst=/x'`)).toEqual(['high'])
  })

  it.each([
    '-v $PWD:/x:O,upperdir=$HOME/.ssh,workdir=$PWD',
    '--mount dst=/x,volume-opt=type=none,volume-opt=o=bind,volume-opt=device=/',
    '--mount type=glob,src=/proc/*,dst=/x',
    '--mount type=glob,src=/r[u]n/user/1000/podman/podman.soc[k],dst=/x',
    '--mount type=glob,src=$HOME/?ssh,dst=/x',
    '--mount type=glob,src=/srv/*,dst=/x',
    '--mount type=bind,src=relative,dst=/x',
  ])('%s', (options) => {
    expect(mountLevels(options)).toContain('high')
  })
})

describe('a mount of something else', () => {
  it('a pattern is one for type=glob only', () => {
    expect(mountLevels('--mount type=bind,src=/srv/a*b,dst=/x')).toEqual(['medium'])
    expect(mountLevels('--mount type=glob,src=/srv/data,dst=/x')).toEqual(['medium'])
  })

  it.each(['$PWD', '${PWD}', '$PWD/', '$HOME/.local/share/paddock/homes/default', '${HOME}/.local/share/paddock/homes/other', 'cache'])('%s gives no finding', (path) => {
    expect(mountLevels(`-v ${path}:/x`)).toEqual([])
  })

  it.each(['$PWD/.git', '$HOME/datasets', '/srv/data', '/etc/localtime', '/home/someone/music'])('%s is named, but needs no yes', (path) => {
    expect(mountLevels(`-v ${path}:/x`)).toEqual(['medium'])
  })
})
