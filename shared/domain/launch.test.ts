import { describe, expect, it } from 'vitest'
import { capsOf } from './caps.ts'
import { type LaunchChoices, planLaunch } from './launch.ts'
import { parseRunArguments } from './run-flags.ts'
import { formatRunCommand, parseRunLabel } from './run-label.ts'

const label = 'podman run -it --rm --runtime krun --annotation krun.use_passt=1 --annotation krun.ram_mib=2048 --annotation krun.cpus=2 --user ai img shell'
const choices: LaunchChoices = {
  launchId: 'id-1', profile: 'minimal', project: '/work/app', isolation: 'microvm', tty: true, command: [], caps: capsOf(parseRunLabel(label).options),
  cidFile: '/state/id-1/container-id', bootIdFile: '/state/id-1/boot-id', avoidPasst: false, canLimit: { memory: true, cpus: true },
}
const plan = (changed: Partial<LaunchChoices> = {}, from = label) => formatRunCommand(planLaunch(parseRunLabel(from), { ...choices, ...changed }))
const own = [
  '--label=dev.paddock.launch=id-1', '--label=dev.paddock.profile=minimal', '--label=dev.paddock.project=/work/app', '--cidfile=/state/id-1/container-id',
  '--volume=/state/id-1/boot-id:/run/paddock/boot-id:z',
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

  it('carries odd paths of its own in one argument', () => {
    const words = plan({ project: '/work/a b:c\nd', bootIdFile: '/state/a:b/boot-id' })
    expect(words).toContain('--label=dev.paddock.project=/work/a b:c\nd')
    expect(words).toContain('--mount=type=bind,source=/state/a:b/boot-id,destination=/run/paddock/boot-id,relabel=shared')
  })

  it('wins over a label that claims Paddock’s own names: its options come last', () => {
    const words = plan({}, 'podman run --label dev.paddock.profile=other --cidfile /x img')
    expect(words.filter((word) => word.startsWith('--label=dev.paddock.profile='))).toEqual(['--label=dev.paddock.profile=other', '--label=dev.paddock.profile=minimal'])
    expect(words.filter((word) => word.startsWith('--cidfile='))).toEqual(['--cidfile=/x', '--cidfile=/state/id-1/container-id'])
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

it('a planned launch parses to what was planned', () => {
  const words = plan({ project: '/a b' })
  const planned = planLaunch(parseRunLabel(label), { ...choices, project: '/a b' })
  expect(words[0]).toBe('run')
  expect(parseRunArguments(words.slice(1))).toEqual(planned)
})
