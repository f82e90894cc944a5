import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseContainerfile } from '../../electron/core/profiles/containerfile.ts'
import { findingsOf, needsConsent } from './findings.ts'
import { parseRunLabel } from './run-label.ts'

const controls = [
  '--rm --interactive --tty --runtime krun --network pasta',
  '--annotation krun.use_passt=1 --annotation krun.ram_mib=2048 --annotation krun.cpus=2',
  '--cap-drop ALL --security-opt no-new-privileges --read-only --tmpfs /tmp:rw,noexec,nosuid,nodev,size=512m',
  '--pids-limit 512 --user ai --userns keep-id:uid=1000,gid=1000',
  '--volume $HOME/.local/share/paddock/homes/default:/home/ai:z --volume $PWD:/home/ai/sandbox:z --workdir /home/ai/sandbox',
].join(' ')
const judge = (label: string) => findingsOf(parseRunLabel(label)).map(({ level, rule }) => `${level} ${rule}`)
/** Findings of a label that has every control, and this besides. */
const judgeAdded = (added: string) => judge(`podman run ${controls} ${added} IMAGE`)
const without = (part: string) => {
  expect(controls).toContain(part)
  return judge(`podman run ${controls.replace(part, '')} IMAGE`)
}

it.each(['minimal', 'default'])('the bundled profile %s gives no finding', (profile) => {
  const file = fileURLToPath(new URL(`../../profiles/${profile}/Containerfile`, import.meta.url))
  const label = parseContainerfile(readFileSync(file, 'utf8')).labels.get('run')
  expect(findingsOf(parseRunLabel(label!))).toEqual([])
})

describe('a control that is missing', () => {
  it.each([
    ['--cap-drop ALL', 'medium cap-drop'],
    ['--security-opt no-new-privileges', 'medium no-new-privileges'],
    ['--read-only', 'medium read-only'],
    ['--tmpfs /tmp:rw,noexec,nosuid,nodev,size=512m', 'medium tmp'],
    ['--pids-limit 512', 'medium pids-limit'],
    ['--user ai', 'medium user'],
    ['--annotation krun.ram_mib=2048', 'medium krun-annotation'],
    ['--annotation krun.cpus=2', 'medium krun-annotation'],
    ['--annotation krun.use_passt=1', 'medium krun-annotation'],
    ['--runtime krun', 'medium runtime'],
    ['--network pasta', 'low network'],
  ])('%s: %s', (part, expected) => {
    expect(without(part)).toEqual([expected])
  })

  it('is not asked of a label that has nothing: each is named once', () => {
    expect(judge('podman run IMAGE').sort()).toEqual(
      ['medium cap-drop', 'medium no-new-privileges', 'medium runtime', 'low network', 'medium read-only', 'medium tmp', 'medium pids-limit', 'medium user'].sort(),
    )
  })
})

describe('a control that is there in name only', () => {
  it.each([
    ['--security-opt no-new-privileges:false', 'medium no-new-privileges'],
    ['--security-opt=no-new-privileges=0', 'medium no-new-privileges'],
    ['--security-opt no-new-privileges=F', 'medium no-new-privileges'],
    ['--read-only=false', 'medium read-only'],
    ['--read-only=F', 'medium read-only'],
    ['--pids-limit -1', 'medium pids-limit'],
    ['--pids-limit=0', 'medium pids-limit'],
    ['--runtime crun', 'medium runtime'],
    ['--cgroups disabled', 'medium cgroups'],
    ['--entrypoint /bin/sh', 'medium entrypoint'],
    ['--user=$NOBODY', ''],
  ])('%s', (added, expected) => {
    expect(judgeAdded(added)).toEqual(expected === '' ? [] : [expected])
  })

  it.each(['/tmp:rw', '/tmp', '/tmp:noexec,nosuid,nodev', '/tmp:noexec,nosuid,size=1m', '/tmp:noexec,nosuid,nodev,size=1m,exec', '/var/tmp:noexec,nosuid,nodev,size=1m'])(
    '--tmpfs %s',
    (tmpfs) => {
      expect(judge(`podman run ${controls.replace(/--tmpfs \S+/, `--tmpfs ${tmpfs}`)} IMAGE`)).toEqual(['medium tmp'])
    },
  )

  it('--annotation krun.cpus= without a value', () => {
    expect(judge(`podman run ${controls.replace('krun.cpus=2', 'krun.cpus=')} IMAGE`)).toEqual(['medium krun-annotation'])
  })
})

describe('power that is added needs an explicit yes', () => {
  it.each([
    ['--privileged', 'privileged'],
    ['--privileged=true', 'privileged'],
    ['--privileged=1', 'privileged'],
    ['--cap-add=all', 'cap-add'],
    ['--cap-add SYS_ADMIN', 'cap-add'],
    ['--security-opt seccomp=unconfined', 'security-opt'],
    ['--security-opt seccomp:unconfined', 'security-opt'],
    ['--security-opt seccomp=/work/all.json', 'security-opt'],
    ['--security-opt apparmor=unconfined', 'security-opt'],
    ['--security-opt label=disable', 'security-opt'],
    ['--security-opt label:disable', 'security-opt'],
    ['--security-opt label=type:spc_t', 'security-opt'],
    ['--security-opt unmask=ALL', 'security-opt'],
    ['--net=host', 'network-shared'],
    ['--network host', 'network-shared'],
    ['--network ns:/proc/1/ns/net', 'network-shared'],
    ['--network container:other', 'network-shared'],
    ['--network pasta:--map-gw', 'network-options'],
    ['--network pasta:-T,auto', 'network-options'],
    ['--network slirp4netns:allow_host_loopback=true', 'network-options'],
    ['--pid host', 'pid-shared'],
    ['--pid=container:x', 'pid-shared'],
    ['--ipc=host', 'ipc-shared'],
    ['--uts host', 'uts-shared'],
    ['--cgroupns host', 'cgroupns-shared'],
    ['--userns host', 'userns-shared'],
    ['--annotation dev.paddock.egress-allow=169.254.169.254:80', 'egress-allow'],
    ['--annotation dev.paddock.egress-allow=169.254.0.0/16:80', 'egress-allow'],
    ['--annotation dev.paddock.egress-allow=[fd00::/8]:80', 'egress-allow'],
    ['--dns 169.254.169.254', 'egress-allow'],
    ['--dns fd00:ec2::254', 'egress-allow'],
    ['--device /dev/mem', 'device'],
    ['--device=/dev/kvm/../mem', 'device'],
    ['--device /dev/kvmfr0', 'device'],
    ['--gpus all', 'device'],
    ['--device-cgroup-rule "a *:* rwm"', 'device'],
    ['--user 0', 'user'],
    ['-u root:root', 'user'],
    ['--user 000', 'user'],
    ['--runtime /tmp/evil', 'runtime'],
    ['--runtime=./evil', 'runtime'],
    ['--runtime /tmp/evil --runtime krun', 'runtime'],
    ['--hooks-dir $PWD/hooks', 'engine'],
    ['--conmon $PWD/evil', 'engine'],
    ['--network-cmd-path $PWD/evil', 'engine'],
    ['--storage-opt overlay.mount_program=$PWD/evil', 'engine'],
    ['--runtime-flag log=/x', 'engine'],
    ['--module $PWD/m.conf', 'engine'],
    ['--root /other', 'engine'],
    ['--url tcp://evil:1', 'engine'],
    ['--connection evil', 'engine'],
    ['--remote=true', 'engine'],
    ['-r=true', 'engine'],
    ['--seccomp-policy image', 'engine'],
    ['--volumes-from other', 'volumes-from-shared'],
    ['--pod other', 'pod-shared'],
    ['--pod-id-file /x', 'pod-id-file-shared'],
    ['--env-file $HOME/.aws/credentials', 'host-file'],
    ['--hosts-file $HOME/secret', 'host-file'],
    ['--label-file $HOME/secret', 'host-file'],
    ['--conmon-pidfile $HOME/.bashrc', 'host-file'],
    ['--pidfile $HOME/.bashrc', 'host-file'],
    ['--cidfile $HOME/.bashrc', 'host-file'],
    ['--health-log-destination $HOME/bin', 'host-file'],
    ['--log-opt path=$HOME/.bashrc', 'host-file'],
    ['--env-host', 'environment'],
    ['--env *', 'environment'],
    ['-e AWS_*', 'environment'],
    ['--rootfs', 'rootfs'],
    ['--log-driver passthrough-tty', 'terminal'],
    ['--log-driver=passthrough${X}-tty', 'terminal'],
    ['--annotation run.oci.keep_original_groups=1', 'annotation'],
    ['--annotation run.oci.hooks.stdout=/home/user/x', 'annotation'],
    ['--annotation org.systemd.property.ExecStopPost=x', 'annotation'],
    ['--network ho${NOTHING}st', 'network-shared'],
    ['--annotation run${X}.oci.handler=wasm', 'annotation'],
  ])('%s', (added, rule) => {
    expect(judgeAdded(added)).toEqual([`high ${rule}`])
    expect(needsConsent(findingsOf(parseRunLabel(`podman run ${controls} ${added} IMAGE`)))).toBe(true)
  })
})

describe('what is worth knowing, but needs no yes', () => {
  it.each([
    ['--name x', 'low name'],
    ['-p 8080:80', 'low publish'],
    ['--publish-all', 'low publish'],
    ['--env HOME_PAGE', 'medium environment'],
    ['--env LD_PRELOAD=/home/ai/x.so', 'medium loader'],
    ['-e LD_AUDIT=x', 'medium loader'],
    ['--env=LD_LIBRARY_PATH=/x', 'medium loader'],
    ['--env GCONV_PATH=/x', 'medium loader'],
    ['--env LOCPATH=/x', 'medium loader'],
    ['--secret token', 'medium secret'],
    ['--group-add keep-groups', 'medium groups'],
    ['--replace', 'medium replace'],
    ['--restart always', 'medium restart'],
    ['--restart=on-failure:3', 'medium restart'],
    ['--health-on-failure restart', 'medium restart'],
    ['--annotation dev.paddock.egress=deny', 'medium egress'],
    ['--annotation dev.paddock.egress=allowlist', 'medium egress'],
    ['--annotation dev.paddock.egress=some', 'medium egress'],
    ['--annotation dev.paddock.egress=deny --network none', 'medium egress'],
    ['--annotation dev.paddock.egress-allow=192.168.1.20:5432', 'low egress-allow'],
    ['--annotation dev.paddock.egress-allow=nas:5432', 'medium egress-allow'],
    ['--dns 192.168.1.1', 'low egress-allow'],
    ['--dns=fd00::1', 'low egress-allow'],
    ['--annotation dev.paddock.egress-allow=0.0.0.0/0:80', 'medium egress-allow'],
  ])('%s', (added, expected) => {
    expect(judgeAdded(added)).toEqual([expected])
  })

  it.each(['deny', 'allowlist', 'open'])('egress %s on a label without a network gives no finding', (mode) => {
    expect(judge(`podman run ${controls.replace('--network pasta', '--network none')} --annotation dev.paddock.egress=${mode} IMAGE`)).toEqual([])
  })

  it('each of several places that are opened is told', () => {
    expect(judgeAdded('--annotation dev.paddock.egress-allow=192.168.1.20:5432,[fd00::1]:53')).toEqual(['low egress-allow', 'low egress-allow'])
  })

  it.each(['localhost/other', 'docker.io/library/debian', '$NOTHING'])('an image of its own: %s', (image) => {
    expect(judge(`podman run ${controls} ${image}`)).toEqual(['medium image'])
  })

  it.each([
    '--device /dev/kvm', '--env A=b', '-e LANG=C.UTF-8', '--hostname x', '--privileged=false', '--env-host=false', '--shm-size 1g', '--dns 1.1.1.1', '--dns none', '--dns 127.0.0.1', '--restart no', '--health-on-failure kill',
    '--label a=b', '--cpus 2', '--memory 1g', '--ulimit nofile=10', '--init', '--ipc private', '--security-opt label=level:s0', '--log-opt max-size=1m', '--log-driver none', '--env LDFLAGS=x',
    '--group-add video', '--annotation krun.variant=x', '--annotation dev.paddock.egress=open', '--tz local', '--cap-drop NET_RAW', '--cgroups enabled',
  ])('%s gives no finding', (added) => {
    expect(judgeAdded(added)).toEqual([])
  })
})
