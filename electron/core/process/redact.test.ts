import { describe, expect, it } from 'vitest'
import { redactCommand } from './redact.ts'

describe('redactCommand', () => {
  it.each([
    [['--build-arg', 'NPM_TOKEN=abc'], ['--build-arg', 'NPM_TOKEN=***']],
    [['--build-arg=NPM_TOKEN=abc'], ['--build-arg=NPM_TOKEN=***']],
    [['--env=OPENAI_API_KEY=sk-1=2'], ['--env=OPENAI_API_KEY=***']],
    [['--password=hunter2'], ['--password=***']],
    [['--password', 'hunter2', 'x'], ['--password', '***', 'x']],
    [['--creds', 'me:hunter2'], ['--creds', '***']],
    [['-e', 'DB_PASSWD=a\nb'], ['-e', 'DB_PASSWD=***']],
    [['-eMY_SECRET=x'], ['-eMY_SECRET=***']],
    [['http_proxy=http://me:hunter2@proxy:3128'], ['http_proxy=http://me:***@proxy:3128']],
    [['pull', 'https://u:p@host/x', 'https://v:q@host/y'], ['pull', 'https://u:***@host/x', 'https://v:***@host/y']],
  ])('hides the secret in %j', (argv, redacted) => {
    expect(redactCommand(argv)).toEqual(redacted)
  })

  it.each([
    [['podman', 'run', '--rm', '--env', 'LANG=C.UTF-8', 'img']],
    [['--volume', '/a:/b', '--label', 'dev.paddock.project=/x@y']],
    [['--userns', 'keep-id:uid=1000,gid=1000', 'docker.io/library/debian@sha256:abc']],
    [['--secret', 'id=npmrc,src=/tmp/npmrc']],
    [['https://host:8080/path']],
    [[]],
  ])('leaves %j as it is', (argv) => {
    expect(redactCommand(argv)).toEqual(argv)
  })
})
