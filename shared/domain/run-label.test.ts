import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PaddockError } from '../errors/paddock-error.ts'
import { bindMount, expandRunLabel, formatRunCommand, type LabelVariables, parseRunLabel } from './run-label.ts'

const variables: LabelVariables = { PWD: '/work/app', HOME: '/home/user', USER: 'user', IMAGE: 'localhost/paddock:latest', NAME: 'paddock' }
const expand = (label: string, changed: Partial<LabelVariables> = {}) => formatRunCommand(expandRunLabel(parseRunLabel(label), { ...variables, ...changed }))

describe('parseRunLabel', () => {
  it.each([
    ['docker run IMAGE', 'docker run'],
    ['sh -c "podman run IMAGE"', 'sh -c'],
    ['podman create IMAGE', 'podman create'],
    ['podman --runtime krun run IMAGE', 'podman --runtime'],
    ['/usr/bin/podman run IMAGE', '/usr/bin/podman run'],
    ['podman', 'podman'],
    ['', 'nothing'],
    ['   ', 'nothing'],
  ])('refuses %j, which is not "podman run"', (label, found) => {
    expect(() => parseRunLabel(label)).toThrow(`it begins with "${found}"`)
  })

  it.each([
    ['podman run', 'the image is missing'],
    ['podman run --rm', 'the image is missing'],
    ['podman run --volume', '--volume has no value'],
    ['podman run "--rm IMAGE', 'a quote is not closed'],
    ["podman run 'IMAGE", 'a quote is not closed'],
    ['podman run --rm $X--privileged IMAGE', 'its image $X--privileged would become an option'],
    ['podman run ${X}-v $Y/:/host IMAGE', 'its image ${X}-v would become an option'],
  ])('says what is wrong with %j', (label, why) => {
    let thrown: unknown
    try {
      parseRunLabel(label)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(PaddockError)
    expect((thrown as PaddockError).report).toMatchObject({ code: 'label-invalid', message: `The run label cannot be used: ${why}.` })
  })

  it('runs no shell: operators and substitutions are plain words', () => {
    expect(expand('podman run IMAGE $(id) `id` ; rm -rf / && true | cat > x')).toEqual([
      'run', 'localhost/paddock:latest', '$(id)', '`id`', ';', 'rm', '-rf', '/', '&&', 'true', '|', 'cat', '>', 'x',
    ])
  })
})

describe('expandRunLabel', () => {
  it.each<[label: string, expected: string[]]>([
    ['podman run IMAGE', ['run', 'localhost/paddock:latest']],
    ['podman run $IMAGE', ['run', 'localhost/paddock:latest']],
    ['podman run ${IMAGE} NAME', ['run', 'localhost/paddock:latest', 'paddock']],
    ['podman run other:tag IMAGES', ['run', 'other:tag', 'IMAGES']],
    ['podman run --name NAME -e IMAGE=IMAGE IMAGE', ['run', '--name=paddock', '--env=IMAGE=localhost/paddock:latest', 'localhost/paddock:latest']],
    ['podman run --name=NAME -e X=IMAGE IMAGE', ['run', '--name=NAME', '--env=X=IMAGE', 'localhost/paddock:latest']],
    ['podman run --name x-$NAME IMAGE', ['run', '--name=x-paddock', 'localhost/paddock:latest']],
    ['podman run -e A=$PWD -e B=${PWD}x -e C=$HOME/y -e D=$USER IMAGE', ['run', '--env=A=/work/app', '--env=B=/work/appx', '--env=C=/home/user/y', '--env=D=user', 'localhost/paddock:latest']],
    ['podman run -e A=$NOBODY -e B=[${NOTHING}] -e C=$PWDX IMAGE', ['run', '--env=A=', '--env=B=[]', '--env=C=', 'localhost/paddock:latest']],
    ['podman run -e A=$ -e B=$1 -e C=${ IMAGE', ['run', '--env=A=$', '--env=B=$1', '--env=C=${', 'localhost/paddock:latest']],
    ['podman run IMAGE echo $PWD/x', ['run', 'localhost/paddock:latest', 'echo', '/work/app/x']],
    [`podman run -e "A=two words" -e 'B=$HOME' IMAGE`, ['run', '--env=A=two words', '--env=B=/home/user', 'localhost/paddock:latest']],
    ['podman run -it --rm IMAGE', ['run', '--interactive', '--tty', '--rm', 'localhost/paddock:latest']],
    ['podman run --volume cache:/c --volume /anonymous IMAGE', ['run', '--volume=cache:/c', '--volume=/anonymous', 'localhost/paddock:latest']],
  ])('%s', (label, expected) => {
    expect(expand(label)).toEqual(expected)
  })

  it('does not expand what a value holds a second time', () => {
    expect(expand('podman run -e A=$PWD IMAGE', { PWD: '/x/$HOME/${USER}' })).toEqual(['run', '--env=A=/x/$HOME/${USER}', 'localhost/paddock:latest'])
  })

  it('does not take names of JavaScript’s own for variables', () => {
    expect(expand('podman run -e A=$constructor -e B=${__proto__} IMAGE')).toEqual(['run', '--env=A=', '--env=B=', 'localhost/paddock:latest'])
  })
})

/** Independent of the code under test: fields of one record by RFC 4180. */
function readCsv(line: string): string[] {
  const fields: string[] = []
  const field = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/gy
  for (;;) {
    const match = field.exec(line)
    if (!match) throw new Error(`not CSV: ${line}`)
    fields.push(match[1] === undefined ? match[2]! : match[1].replaceAll('""', '"'))
    if (match[3] === '') return fields
  }
}

/** What Podman makes of the one mount in a command line. */
function readMount(words: string[]): { source: string | undefined; destination: string | undefined; options: string[] } {
  expect(words).toHaveLength(3)
  expect([words[0], words[2]]).toEqual(['run', 'localhost/paddock:latest'])
  const option = words[1]!
  if (option.startsWith('--volume=')) {
    const parts = option.slice('--volume='.length).split(':')
    expect(parts.length).toBeLessThanOrEqual(3)
    return { source: parts[0], destination: parts[1], options: parts[2]?.split(',') ?? [] }
  }
  expect(option.startsWith('--mount=')).toBe(true)
  const fields = readCsv(option.slice('--mount='.length))
  const named = (key: string) => fields.find((text) => text.startsWith(`${key}=`))?.slice(key.length + 1)
  expect(named('type')).toBe('bind')
  return { source: named('source') ?? named('src'), destination: named('destination') ?? named('dst'), options: fields.filter((text) => !/^(type|source|src|destination|dst)=/.test(text)) }
}

describe('a project folder of any name', () => {
  const odd = [
    'with space', ' leading', 'a:b', 'a,b', "a'b", 'a"b', 'a\\b', 'a$b', '$HOME', '${PWD}', 'a #b', 'a\nb', '-rf', '--volume=x', 'grün', '日本', '🦊',
    'a`id`', '$(id)', 'a;b', 'a&b', 'a*b', 'a\tb', 'a\rb', 'IMAGE', 'a:z', 'a,src=/', 'x",source=/,"', 'a=b', '""', "''", 'a\u202eb',
  ]
  it.each(odd)('%j arrives in one argument, for --volume', (name) => {
    const { source, destination, options } = readMount(expand('podman run --volume $PWD:/home/ai/sandbox:z IMAGE', { PWD: `/work/${name}` }))
    expect({ source, destination }).toEqual({ source: `/work/${name}`, destination: '/home/ai/sandbox' })
    expect(['z', 'relabel=shared']).toContain(options.join())
  })

  it.each(odd)('%j arrives in one argument, for --mount', (name) => {
    const mount = readMount(expand('podman run --mount type=bind,src=$PWD,dst=/home/ai/sandbox,ro=true IMAGE', { PWD: `/work/${name}` }))
    expect(mount).toEqual({ source: `/work/${name}`, destination: '/home/ai/sandbox', options: ['ro=true'] })
  })

  const anyPath = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !text.includes('\0')).map((text) => `/${text}`)
  it('survives whatever characters it holds', () => {
    fc.assert(
      fc.property(anyPath, anyPath, (PWD, HOME) => {
        const project = readMount(expand('podman run --volume $PWD:/home/ai/sandbox:z IMAGE', { PWD }))
        expect(project).toMatchObject({ source: PWD, destination: '/home/ai/sandbox' })
        const inside = readMount(expand('podman run -v ${HOME}/a/b:${PWD}:ro,Z IMAGE', { PWD, HOME }))
        expect(inside).toMatchObject({ source: `${HOME}/a/b`, destination: PWD })
        expect(expand('podman run --workdir $PWD IMAGE', { PWD })[1]).toBe(`--workdir=${PWD}`)
      }),
      { numRuns: 300 },
    )
  })
})

describe('bindMount', () => {
  it.each<[parts: string[], flag: string, value: string]>([
    [['/a', '/b', 'z'], '--volume', '/a:/b:z'],
    [['/a', '/b'], '--volume', '/a:/b'],
    [['/a b', '/b', 'ro,z'], '--volume', '/a b:/b:ro,z'],
    [['/a:b', '/b', 'ro,Z'], '--mount', 'type=bind,source=/a:b,destination=/b,ro=true,relabel=private'],
    [['/a:b', '/b', 'rw,U,noexec'], '--mount', 'type=bind,source=/a:b,destination=/b,ro=false,U=true,noexec'],
    [['/a:b', '/b'], '--mount', 'type=bind,source=/a:b,destination=/b'],
    [['/a', '/b:c', 'z'], '--mount', 'type=bind,source=/a,destination=/b:c,relabel=shared'],
    [['cache', '/b:c'], '--mount', 'type=volume,source=cache,destination=/b:c'],
    [['/only'], '--volume', '/only'],
  ])('%j becomes %s %s', (parts, flag, value) => {
    expect(bindMount(parts)).toEqual({ flag, value })
  })
})
