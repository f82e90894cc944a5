import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseContainerfile } from '../../../electron/core/profiles/containerfile.ts'
import { parseProfile } from '../profile-form/profile-form.ts'
import { hardenedLabel } from '../profile-form/hardened-label.ts'
import { lintProfile } from '../profile-form/lint/lint-profile.ts'
import { importDevcontainer } from './import-devcontainer.ts'
import { readDevcontainer } from './read-devcontainer.ts'

const defaultLabel = parseContainerfile(readFileSync(new URL('../../../profiles/default/Containerfile', import.meta.url), 'utf8')).labels.get('run')!
function take(json: string, dockerfile: string | null = null) {
  const imported = importDevcontainer(readDevcontainer(json), dockerfile, defaultLabel)
  const { values } = parseProfile(imported.text, { inheritedLabel: defaultLabel })
  const value = (name: keyof typeof values) => (values[name] as { value: unknown }).value
  return { ...imported, value, all: imported.notes.join('\n') }
}

it('the label for images from elsewhere is the default profile’s', () => {
  expect(hardenedLabel).toBe(defaultLabel.replace(/\s+/g, ' '))
})

it('maps what a profile can have', () => {
  const { value, text, files, notes } = take(`{
    // what public ones have
    "name": "Node & Postgres",
    "image": "mcr.microsoft.com/devcontainers/javascript-node:1-22-bookworm",
    "features": {
      "ghcr.io/devcontainers/features/github-cli:1": {},
      "ghcr.io/devcontainers/features/python:1": { "version": "3.12" },
      "ghcr.io/rocker-org/devcontainer-features/apt-packages:1": { "packages": "jq,ripgrep" },
    },
    "mounts": ["source=\${localEnv:HOME}/.config/x,target=/x,type=bind", { "source": "\${localWorkspaceFolder}/data", "target": "/data", "type": "bind" }],
    "containerEnv": { "A": "b c" },
    "remoteEnv": { "PATH": "\${containerEnv:PATH}:/opt/bin" },
    "forwardPorts": [3000, "localhost:5432"],
    "postCreateCommand": { "deps": "npm ci", "db": ["sh", "-c", "it's up"] },
    "hostRequirements": { "cpus": 2, "memory": "8gb" },
  }`)
  expect(value('base')).toBe('mcr.microsoft.com/devcontainers/javascript-node:1-22-bookworm')
  expect(value('apt')).toEqual(['gh', 'python3', 'python3-pip', 'python3-venv', 'jq', 'ripgrep'])
  expect(value('mounts')).toEqual([{ source: '$HOME/.config/x', target: '/x', readOnly: true }, { source: '$PWD/data', target: '/data', readOnly: true }])
  expect(value('environment')).toEqual(expect.arrayContaining([{ name: 'A', value: 'b c' }, { name: 'PATH', value: '$PATH:/opt/bin' }]))
  expect(value('ports')).toEqual(['127.0.0.1:3000:3000', '127.0.0.1:5432:5432'])
  expect([value('cpus'), value('ramMib')]).toEqual([2, 8192])
  expect(files['post-create']).toBe("#!/bin/sh\n# postCreateCommand of the dev container.\nset -e\nnpm ci\nsh -c 'it'\\''s up'\n")
  expect(text).toContain('COPY --chmod=0755 post-create /usr/local/bin/post-create\n')
  expect(notes).toContain('Feature ghcr.io/devcontainers/features/python:1: Debian’s version is installed, not 3.12.')
  // Mounts of your folders are worth a look; nothing else is wrong with it.
  expect(lintProfile(parseProfile(text)).filter(({ rule }) => rule !== 'mount' && rule !== 'publish')).toEqual([])
})

it('stands on the default profile where no image is named, and writes its label out only when it changes', () => {
  expect(take('{}').text).toBe('FROM localhost/paddock:latest\n')
  const { text, value, needsEntrypoint } = take('{"forwardPorts": [80]}')
  expect(needsEntrypoint).toBe(false)
  expect(text).toMatch(/^FROM localhost\/paddock:latest\n\nLABEL run="podman run \\\n/)
  expect(value('ports')).toEqual(['127.0.0.1:80:80'])
})

it('changes a Dockerfile that is named only where it must', () => {
  const dockerfile = 'ARG V=1\nFROM debian:${V}\n# theirs\nRUN one\n'
  const { text } = take('{"build": {"dockerfile": "Dockerfile", "args": {"V": "bookworm", "X": "y"}}}', dockerfile)
  expect(text.startsWith('ARG V=bookworm\nFROM debian:${V}\n# theirs\nRUN one\n')).toBe(true)
  expect(parseContainerfile(text).copied).toEqual(['paddock-entrypoint'])
})

describe('lists what it cannot take over, with its reason', () => {
  it.each([
    ['{"initializeCommand": "x"}', 'initializeCommand was not taken over: it would run on your machine.'],
    ['{"privileged": true}', 'privileged was not taken over: it would switch the sandbox’s protections off.'],
    ['{"runArgs": ["--net=host"]}', 'runArgs was not taken over: put the flags that you want into the run label.'],
    ['{"somethingNew": 1}', 'somethingNew was not taken over.'],
    ['{"dockerComposeFile": "x.yml"}', 'dockerComposeFile was not taken over: a sandbox is one container.'],
    ['{"features": {"ghcr.io/devcontainers/features/docker-in-docker:2": {}}}', 'Feature ghcr.io/devcontainers/features/docker-in-docker:2 was not taken over: a sandbox runs no container engine.'],
    ['{"features": {"ghcr.io/x/y/z:1": {}}}', 'Feature ghcr.io/x/y/z:1 was not taken over: Paddock knows no packages for it.'],
    ['{"features": {"ghcr.io/r/f/apt-packages:1": {"packages": "jq;reboot"}}}', 'apt was not taken over: "jq;reboot" is no package; write ripgrep, or ripgrep=14.1.1-1.'],
    ['{"mounts": ["source=v,target=/v,type=volume"]}', 'The mount at /v was not taken over: a volume is no folder of yours; the home lasts anyway.'],
    ['{"mounts": ["source=${localEnv:SECRET},target=/v,type=bind"]}', 'The mount at /v was not taken over: its source depends on your editor.'],
    ['{"mounts": ["source=/srv,target=/home/ai,type=bind"]}', 'mounts was not taken over: /home/ai is taken by the home.'],
    ['{"remoteEnv": {"T": "${localEnv:TOKEN}"}}', 'T was not taken over: its value comes from your machine.'],
    ['{"forwardPorts": ["db:5432"]}', 'Port db:5432 was not taken over: it is another container’s.'],
    ['{"build": {"target": "dev"}}', 'build.target was not taken over: the last stage becomes the image.'],
    ['{"build": {"args": {"X": "a b"}}}', 'The build argument X was not taken over: the Containerfile has no ARG for it, or its value is not a plain word.'],
  ])('%s', (json, note) => {
    expect(take(json).notes).toContain(note)
  })
})

it.each(['{', '[]', '"x"', '', '{"image": ["a"]}'])('refuses %j', (json) => {
  expect(() => readDevcontainer(json)).toThrow(SyntaxError)
})
