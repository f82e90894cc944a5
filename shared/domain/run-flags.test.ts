import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { recording } from '../../e2e/fixtures/fake-podman/fake-podman.ts'
import { annotationsOf, formatRunOptions, isSwitchedOn, lastValueOf, parseRunArguments, type RunOption, valuesOf } from './run-flags.ts'

const on = (flag: string): RunOption => ({ flag, value: null })
const set = (flag: string, value: string): RunOption => ({ flag, value })

describe('parseRunArguments', () => {
  const readings: [what: string, argv: string[], options: RunOption[], rest: string[]][] = [
    ['a switch', ['--rm', 'img'], [on('--rm')], ['img']],
    ['a switch with a value', ['--init=false', 'img'], [set('--init', 'false')], ['img']],
    ['a value as a word of its own', ['--user', 'ai', 'img'], [set('--user', 'ai')], ['img']],
    ['a value behind =', ['--user=ai', 'img'], [set('--user', 'ai')], ['img']],
    ['= within a value', ['--env=A=b=c', 'img'], [set('--env', 'A=b=c')], ['img']],
    ['an empty value', ['--env=', '--user', '', 'img'], [set('--env', ''), set('--user', '')], ['img']],
    ['a value that looks like a flag', ['--env', '--rm', 'img'], [set('--env', '--rm')], ['img']],
    ['clustered switches', ['-it', 'img'], [on('--interactive'), on('--tty')], ['img']],
    ['a short switch with a value', ['-t=false', 'img'], [set('--tty', 'false')], ['img']],
    ['a cluster that ends in a flag with a value', ['-itv', '/a:/b', 'img'], [on('--interactive'), on('--tty'), set('--volume', '/a:/b')], ['img']],
    ['a short flag glued to its value', ['-v/a:/b', '-e=X=1', 'img'], [set('--volume', '/a:/b'), set('--env', 'X=1')], ['img']],
    ['an alias', ['--net', 'none', '--dns-opt=x', 'img'], [set('--network', 'none'), set('--dns-option', 'x')], ['img']],
    ['-- before the image', ['--rm', '--', '-img', 'a'], [on('--rm')], ['-img', 'a']],
    ['flags behind the image as the command’s own', ['--rm', 'img', '--rm', '-it'], [on('--rm')], ['img', '--rm', '-it']],
    ['an unknown flag as one that wants a value', ['--future', 'x', 'img'], [set('--future', 'x')], ['img']],
  ]
  it.each(readings)('reads %s', (_what, argv, options, [image, ...command]) => {
    expect(parseRunArguments(argv)).toEqual({ options, image, command })
  })

  it.each([
    ['a value is missing', ['--user'], '--user has no value'],
    ['a short flag’s value is missing', ['-it', '-v'], '--volume has no value'],
    ['the image is missing', ['--rm'], 'the image is missing'],
    ['nothing is there', [], 'the image is missing'],
    ['nothing stands behind --', ['--rm', '--'], 'the image is missing'],
  ])('refuses when %s', (_what, argv, why) => {
    expect(() => parseRunArguments(argv)).toThrow(new SyntaxError(why))
  })

  const help = [...recording('run-help.txt').matchAll(/^ {2,6}(?:-(\w), )?(--[\w-]+)( \S+)?\s{2,}/gm)]
  it('knows every flag of podman run --help as switch or flag with a value, as Podman does', () => {
    expect(help.length).toBeGreaterThan(100)
    for (const [, short, flag, type] of help) {
      const takesValue = type !== undefined
      const value = takesValue ? 'img' : null
      const left = takesValue ? 'cmd' : 'img'
      for (const spelled of short && short !== 'h' ? [flag!, `-${short}`] : [flag!]) {
        const { options, image } = parseRunArguments([spelled, 'img', 'cmd'])
        expect({ spelled, options, image }).toEqual({ spelled, options: [{ flag, value }], image: left })
      }
    }
  })
})

describe('formatRunOptions', () => {
  it('keeps a value in one word with its flag, so that it cannot become a flag of its own', () => {
    const { options } = parseRunArguments(['--syslog', '--privileged', 'img'])
    expect(formatRunOptions(options)).toEqual(['--syslog=--privileged'])
  })

  it('writes what parses to the same again', () => {
    const flag = fc.constantFrom('--volume', '--env', '--user', '--rm', '--tty', '--init', '--network', '--annotation', '--unheard-of')
    const isSwitch = (name: string) => ['--rm', '--tty', '--init'].includes(name)
    const option = fc.tuple(flag, fc.string({ unit: 'binary' }), fc.boolean()).map(([name, value, bare]) => ({ flag: name, value: isSwitch(name) && bare ? null : value }))
    const image = fc.string({ minLength: 1 }).filter((text) => !text.startsWith('-'))
    fc.assert(
      fc.property(fc.array(option), image, fc.array(fc.string()), (options, img, command) => {
        expect(parseRunArguments([...formatRunOptions(options), img, ...command])).toEqual({ options, image: img, command })
      }),
    )
  })
})

describe('isSwitchedOn', () => {
  it.each([
    [['--tty'], true],
    [['--tty=true'], true],
    [['--tty=1'], true],
    [['--tty=T'], true],
    [['--tty=false'], false],
    [['--tty=0'], false],
    [['--tty=f'], false],
    [['--tty=False'], false],
    [['--tty=FALSE'], false],
    [['--tty', '--tty=false'], false],
    [['--tty=false', '-t'], true],
    [['--rm'], false],
  ])('%j: %s', (argv, expected) => {
    expect(isSwitchedOn(parseRunArguments([...argv, 'img']).options, '--tty')).toBe(expected)
  })
})

describe('the values of a flag', () => {
  const { options } = parseRunArguments(['-v', 'a', '--rm', '--volume=b', '--annotation', 'k=v=w', '--annotation=bare', 'img'])
  it('come in their order, the last one counting where one is wanted', () => {
    expect(valuesOf(options, '--volume')).toEqual(['a', 'b'])
    expect(lastValueOf(options, '--volume')).toBe('b')
    expect(lastValueOf(options, '--user')).toBeUndefined()
  })
  it('are a map for annotations', () => {
    expect([...annotationsOf(options)]).toEqual([['k', 'v=w'], ['bare', '']])
  })
})
