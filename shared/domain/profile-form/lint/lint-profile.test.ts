import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readShapes } from '../../../../e2e/fixtures/containerfiles/shapes.ts'
import { applyEdits } from '../../containerfile/edit.ts'
import { parseProfile } from '../profile-form.ts'
import { lintProfile } from './lint-profile.ts'

const lint = (text: string) => lintProfile(parseProfile(text))
const bundled = (name: string) => readFileSync(new URL(`../../../../profiles/${name}/Containerfile`, import.meta.url), 'utf8')
const minimal = bundled('minimal')
const short = (text: string) => lint(text).map(({ level, rule, line, column }) => `${line}:${column} ${level} ${rule}`)
const mend = (text: string, rule: string) => applyEdits(text, lint(text).find((finding) => finding.rule === rule)!.fix!.edits)

it.each(['minimal', 'default', 'base'])('the bundled profile %s has no finding', (name) => {
  expect(lint(bundled(name))).toEqual([])
})

describe('a control that is missing is told at the label, and put back where it was', () => {
  it.each([
    ['--cap-drop ALL', 'cap-drop'],
    ['--security-opt no-new-privileges', 'no-new-privileges'],
    ['--runtime krun', 'runtime'],
    ['--read-only', 'read-only'],
    ['--tmpfs /tmp:rw,noexec,nosuid,nodev,size=512m', 'tmp'],
    ['--pids-limit 512', 'pids-limit'],
    ['--user ai', 'user'],
    ['--annotation krun.ram_mib=2048', 'krun-annotation'],
    ['--annotation krun.cpus=2', 'krun-annotation'],
  ])('%s', (option, rule) => {
    const text = minimal.replace(`${option} \\\n`, '')
    expect(text).not.toBe(minimal)
    expect(lint(text).filter((finding) => finding.rule === rule)).toMatchObject([{ level: 'error', line: minimal.split('\n').findIndex((line) => line.startsWith('LABEL run')) + 1, column: 12 }])
    expect(mend(text, rule)).toBe(minimal)
  })
})

describe('a power that is added is told at its option, and taken out', () => {
  it.each([
    ['--privileged', 'privileged', 'error'],
    ['--cap-add SYS_ADMIN', 'cap-add', 'error'],
    ['--volume /run/podman/podman.sock:/s', 'mount', 'error'],
    ['--volume /srv/data:/data', 'mount', 'warning'],
    ['--device /dev/sda', 'device', 'error'],
    ['--env-host', 'environment', 'error'],
    ['--publish 127.0.0.1:1:1', 'publish', 'note'],
    ['--entrypoint /bin/sh', 'entrypoint', 'warning'],
  ])('%s', (option, rule, level) => {
    const text = minimal.replace('--read-only \\\n', `--read-only \\\n${option} \\\n`)
    expect(lint(text)).toMatchObject([{ level, rule, line: text.split('\n').indexOf(`${option} \\`) + 1, column: 1 }])
    expect(text.slice(lint(text)[0]!.start, lint(text)[0]!.end)).toBe(option)
    expect(mend(text, rule)).toBe(minimal)
  })
})

it('a tmpfs that lacks something gets what it lacks', () => {
  const text = minimal.replace(',noexec,nosuid,nodev,size=512m', ',exec')
  expect(mend(text, 'tmp')).toContain('--tmpfs /tmp:rw,noexec,nosuid,nodev,size=512m \\\n')
})

describe('in the text', () => {
  it.each<[what: string, text: string, expected: string[]]>([
    ['a bare PWD', 'FROM localhost/paddock:latest\nLABEL run="podman run -v $PWD:/x --pids-limit 2 IMAGE"', ['2:26 error bare-variable']],
    ['a bare HOME in braces', 'FROM localhost/paddock:latest\nLABEL run="podman run -v ${HOME}/a:/x IMAGE"', ['2:26 error bare-variable']],
    ['no bare variable in single quotes', "FROM localhost/paddock:latest\nLABEL run='podman run -v $PWD:/x IMAGE'", []],
    ['an npm package without a version', 'FROM node:24\nRUN npm i -g pnpm a@1.2.3 b@latest c@^1.0.0', ['2:14 error npm-unpinned', '2:27 error npm-unpinned', '2:36 error npm-unpinned']],
    ['an npm package in an earlier stage', 'FROM node:24 AS a\nRUN npm i -g x\nFROM a', ['2:14 error npm-unpinned']],
    ['latest', 'FROM ubuntu:latest\nFROM ubuntu\nFROM x.example.org:5000/y', ['1:6 error latest', '2:6 error latest', '3:6 error latest']],
    ['no latest', 'FROM a:1 AS x\nFROM x\nFROM scratch\nFROM localhost/paddock:latest\nFROM b@sha256:00', []],
    ['a user', 'FROM a:1\nUSER node', ['2:1 error user']],
    ['the user of a stage below', 'FROM a:1 AS x\nUSER node\nFROM x\nRUN true', ['2:1 error user']],
    ['a user that is ai in the end', 'FROM a:1\nUSER root\nRUN true\nUSER ai:ai', []],
    ['a typing error', 'FROM a:1\n\n  COPPY x /', ['3:3 error instruction']],
    ['RUN before FROM', 'RUN x\nFROM a:1', ['1:1 error before-from']],
    ['nothing', '', ['1:1 error from']],
    ['FROM without an image', 'FROM\n', ['1:1 error from']],
    ['an open heredoc', 'FROM a:1\nRUN <<EOF\nx', ['2:1 error heredoc']],
    ['an open line', 'FROM a:1\nRUN x \\\n', ['2:7 error continuation']],
    ['a label that is no podman run', 'FROM a:1\nLABEL run="docker run IMAGE"', ['2:11 error label']],
  ])('%s', (_what, text, expected) => {
    const ruled = short(text).filter((finding) => !/cap-drop|no-new-priv|runtime|read-only|tmp$|pids|error user$|network|mount|krun/.test(finding) || expected.includes(finding))
    expect(ruled).toEqual(expected)
  })

  it('a bare variable gets its backslash, and USER goes', () => {
    expect(mend('FROM localhost/paddock:latest\nLABEL run="podman run -v ${PWD}:/x IMAGE"', 'bare-variable')).toContain('-v \\${PWD}:/x')
    expect(mend('FROM a:1\nUSER node\nRUN x', 'user')).toBe('FROM a:1\nRUN x')
  })
})

it.each(readShapes())('$name: every finding says what and why at its place, and a fix makes one less', ({ text }) => {
  const findings = lint(text)
  for (const { message, why, start, end, fix, rule } of findings) {
    expect(message).toMatch(/\.$/)
    expect(why).toMatch(/^[A-Z].*\.$/s)
    expect(start).toBeLessThanOrEqual(end)
    expect(end).toBeLessThanOrEqual(text.length)
    if (fix) expect(lint(applyEdits(text, fix.edits)).filter((one) => one.rule === rule && one.message === message).length, message).toBeLessThan(findings.filter((one) => one.rule === rule && one.message === message).length)
  }
})
