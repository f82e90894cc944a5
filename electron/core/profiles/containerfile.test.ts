import { describe, expect, it } from 'vitest'
import { parseContainerfile } from './containerfile.ts'

const parse = (lines: string | string[], args?: Record<string, string>) => parseContainerfile(typeof lines === 'string' ? lines : lines.join('\n'), args)
const copied = (...lines: string[]) => parse(['FROM a', ...lines]).copied
const labels = (...lines: string[]) => Object.fromEntries(parse(['FROM a', ...lines]).labels)

describe('images', () => {
  it.each<[what: string, lines: string[], images: string[], base: string]>([
    ['one stage', ['FROM a:1'], ['a:1'], 'a:1'],
    ['lower case', ['from a', 'run x'], ['a'], 'a'],
    ['a platform', ['FROM --platform=linux/amd64 a AS x'], ['a'], 'a'],
    ['scratch', ['FROM scratch'], [], 'scratch'],
    ['comments and a directive before', ['# syntax=docker/dockerfile:1', '', '# words', 'FROM a'], ['a'], 'a'],
    ['Windows line ends', ['FROM a\r', 'COPY x /\r', ''], ['a'], 'a'],
    ['two stages', ['FROM a AS one', 'FROM b'], ['a', 'b'], 'b'],
    ['a stage built on another', ['FROM a AS One', 'FROM one AS two', 'FROM TWO'], ['a'], 'a'],
    ['copies from a stage by name and number', ['FROM a AS one', 'FROM b', 'COPY --from=one /x /', 'COPY --from=0 /y /'], ['a', 'b'], 'b'],
    ['copies from an image', ['FROM a', 'COPY --from=c:2 /x /', 'RUN --mount=type=bind,from=d,target=/d true'], ['a', 'c:2', 'd'], 'a'],
    ['a default of ARG', ['ARG B=a:1', 'FROM $B'], ['a:1'], 'a:1'],
    ['a default in FROM', ['ARG B', 'FROM ${B:-a:2}'], ['a:2'], 'a:2'],
    ['ARG built from ARG', ['ARG V=1', 'ARG B=a:$V', 'FROM ${B}'], ['a:1'], 'a:1'],
    ['ARG in quotes', ['ARG B="a:1"', 'FROM $B'], ['a:1'], 'a:1'],
  ])('%s', (_what, lines, images, base) => {
    expect(parse(lines)).toMatchObject({ images, base })
  })

  it('follow build arguments, which win over defaults, where ARG declares them', () => {
    const lines = ['ARG B=a', 'FROM $B', 'ARG C=c', 'COPY --from=$C /x /']
    expect(parse(lines, { B: 'x', C: 'y', D: 'z' })).toMatchObject({ images: ['x', 'y'], base: 'x', declaredArgs: new Set(['B', 'C']) })
    expect(() => parse(['FROM $B'], { B: 'x' })).toThrow('FROM names no image')
  })

  it('see an ARG from before FROM in a stage only where it is declared again', () => {
    expect(parse(['ARG V=1', 'FROM a', 'ARG V', 'COPY --from=c:$V /x /']).images).toEqual(['a', 'c:1'])
    expect(parse(['ARG V=1', 'FROM a', 'COPY --from=c:$V /x /']).images).toEqual(['a', 'c:'])
  })
})

describe('copied', () => {
  it.each<[line: string, paths: string[]]>([
    ['COPY a /', ['a']],
    ['copy a b c/ /x/', ['a', 'b', 'c/']],
    ['ADD a.tar /', ['a.tar']],
    ['COPY --chown=1:1 --chmod=0755 a /', ['a']],
    ['COPY ["a b", "c", "/"]', ['a b', 'c']],
    ['COPY --chmod=0755 ["a b", "/"]', ['a b']],
    ['COPY [a] /', ['[a]']],
    ['COPY a* ./b?/ /', ['a*', './b?/']],
    ['COPY . .', ['.']],
    ['COPY --from=x /y /', []],
    ['ADD https://example.org/x /', []],
    ['ADD git@example.org:x.git /', []],
    ['RUN --mount=type=bind,source=src,target=/s make', ['src']],
    ['RUN --mount=type=bind,src=src,dst=/s make', ['src']],
    ['RUN --mount=type=bind,target=/s make', ['.']],
    ['RUN --mount=target=/s make', ['.']],
    ['RUN --mount=type=cache,target=/c --mount=type=secret,id=x make', []],
  ])('%s', (line, paths) => {
    expect(copied(line)).toEqual(paths)
  })

  it('follows variables and continuation lines', () => {
    expect(copied('ARG F=file', 'ENV D=dir', 'COPY $F \\', '  # a word between', '  ${D}/x /')).toEqual(['file', 'dir/x'])
  })

  it('has nothing of a heredoc, whose lines are no instructions', () => {
    expect(copied('COPY <<EOF /x', 'FROM evil', 'COPY secret /', 'EOF', 'RUN <<"END"', 'COPY other /', 'END', 'COPY a /')).toEqual(['a'])
  })
})

describe('labels', () => {
  it.each<[what: string, lines: string[], expected: Record<string, string>]>([
    ['plain', ['LABEL a=b'], { a: 'b' }],
    ['in quotes', ['LABEL a="b c" \'d\'="e"'], { a: 'b c', d: 'e' }],
    ['several in a line', ['LABEL a=1 b=2'], { a: '1', b: '2' }],
    ['the old form', ['LABEL run podman run IMAGE'], { run: 'podman run IMAGE' }],
    ['over several lines', ['LABEL a="b \\', '  c" \\', '  d=e'], { a: 'b   c', d: 'e' }],
    ['a comment between the lines', ['LABEL run="podman run \\', '# why', '--rm IMAGE"'], { run: 'podman run --rm IMAGE' }],
    ['the last one wins', ['LABEL a=1', 'LABEL a=2'], { a: '2' }],
    ['names in any case', ['LABEL Run=x'], { run: 'x' }],
    ['a variable of ARG', ['ARG V=1', 'LABEL a=$V'], { a: '1' }],
    ['a dollar kept for launch', ['LABEL run="podman run -v \\$PWD:/x IMAGE"'], { run: 'podman run -v $PWD:/x IMAGE' }],
    ['a dollar kept by single quotes', ["LABEL run='podman run -v $PWD:/x IMAGE'"], { run: 'podman run -v $PWD:/x IMAGE' }],
    ['a dollar that the builder takes', ['LABEL run="podman run -v $PWD:/x IMAGE"'], { run: 'podman run -v :/x IMAGE' }],
    ['quotes within quotes', ['LABEL a="say \\"x\\""'], { a: 'say "x"' }],
    ['an empty one', ['LABEL a='], { a: '' }],
    ['= within the value', ['LABEL a=b=c'], { a: 'b=c' }],
  ])('%s', (_what, lines, expected) => {
    expect(labels(...lines)).toEqual(expected)
  })

  it('are those of the last stage and of the stages it starts from', () => {
    const found = parse(['FROM a AS one', 'LABEL run=one x=1', 'FROM b AS two', 'LABEL y=2', 'FROM one', 'LABEL x=3']).labels
    expect(Object.fromEntries(found)).toEqual({ run: 'one', x: '3' })
  })
})

describe('a Containerfile that no builder takes', () => {
  it.each<[lines: string[], why: string]>([
    [[''], 'it has no FROM'],
    [['# only words'], 'it has no FROM'],
    [['ARG A=1'], 'it has no FROM'],
    [['RUN x', 'FROM a'], 'line 1: RUN stands before FROM'],
    [['FROM a', '', 'COPPY x /'], 'line 3: COPPY is not an instruction'],
    [['ARG A', 'FROM $A'], 'line 2: FROM names no image'],
    [['FROM'], 'line 1: FROM names no image'],
  ])('%j: %s', (lines, why) => {
    expect(() => parse(lines)).toThrow(new SyntaxError(why))
  })
})
