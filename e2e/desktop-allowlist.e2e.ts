import { X509Certificate } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeScreenshot } from '../electron/core/desktops/screenshot.ts'
import { proxyPlace } from '../electron/core/egress/proxy/proxy-place.ts'
import type { GuestChannel } from '../electron/core/guest/guest-channel.ts'
import type { EgressRequest } from '../shared/domain/egress-request.ts'
import { backdrop } from './fixtures/desktop.ts'
import { openGuest } from './fixtures/guest.ts'
import { createInternet, type Internet } from './fixtures/internet/internet.ts'
import { createWeb } from './fixtures/internet/web.ts'
import { readPng } from './fixtures/png.ts'
import { createWorld, exec, onDesktop, root, until, type World } from './harness.ts'

// The desktop's browser behind an allowlist, on the tests' own internet.
let world: World
let internet: Internet
let guest: GuestChannel
let id: string

/** What is shown over TLS only. */
const tlsPage = [0, 160, 96] as const
const pages = { 'page.example': [192, 0, 192], 'other.example': [0, 0, 224] } as const

beforeAll(async () => {
  world = createWorld('desktop-allowlist')
  await build('desktop')
  const web = await createWeb(world, 'localhost/paddock:desktop', { 'page.example': [['203.0.113.20']], 'other.example': [['203.0.113.21']] })
  const policy = join(world.folder, 'authority.json')
  writeFileSync(policy, JSON.stringify({ CACertificates: [new X509Certificate(readFileSync(web.ca)).raw.toString('base64')] }))
  const allowlist = `--network none --annotation dev.paddock.egress=allowlist --annotation dev.paddock.egress-allow=page.example --volume ${policy}:/etc/chromium/policies/managed/authority.json:ro`
  world.profile('e2e-desk-list', onDesktop((label) => label.replace('--runtime krun', '--runtime crun').replace('--tty ', '').replace('--network pasta', allowlist)))
  for (const profile of ['e2e-desk-list', 'egress']) await build(profile)
  for (const [host, rgb] of Object.entries(pages)) {
    mkdirSync(join(web.folder, 'sites', host))
    writeFileSync(join(web.folder, 'sites', host, 'index.html'), page(rgb))
  }
  mkdirSync(join(web.folder, 'sites/page.example/tls'))
  writeFileSync(join(web.folder, 'sites/page.example/tls/index.html'), page(tlsPage))
  internet = await createInternet(world, web.folder)
  const project = world.project()
  void onMachine(['run', 'e2e-desk-list', '--project', project, '--', 'sleep', 'infinity'])
  id = (await until('the sandbox runs', async () => (await world.ls()).find(({ state }) => state === 'running'))).id
  guest = await openGuest(world, id)
  await until('the desktop is drawn', async () => isColour(await look(), backdrop))
})
afterAll(async () => {
  guest?.close()
  await world?.podman(['rm', '--force', '--time', '0', '--ignore', proxyPlace(join(world.folder, 'state/paddock/egress')).name])
  await internet?.dispose()
  await world?.dispose()
})

/** The command on the machine of these tests, where the proxy is. */
const onMachine = (args: readonly string[]) => exec(internet.on([process.execPath, join(root, 'dist/paddock.cjs'), ...args]) as [string, ...string[]], { env: world.env })
const isColour = (seen: readonly number[] | null, colour: readonly number[]) => seen?.every((value, at) => Math.abs(value - colour[at]!) <= 4) ?? false
/** A pixel in the middle of what a browser shows; null while there is no picture. */
const look = () => takeScreenshot(guest).then(({ png }) => readPng(png).at(640, 600), () => null)
const page = (rgb: readonly number[]) => `<!doctype html><body style="background:rgb(${rgb.join()})">`
const build = (profile: string) => demand(['build', profile])
const open = (url: string) => demand(['open-url', id, url])
async function demand(args: readonly string[]): Promise<void> {
  const { code, stderr } = await world.paddock([...args])
  expect(code, stderr).toBe(0)
}

test('Chromium finds the proxy by itself, and shows the page of a host that is allowed', async () => {
  await open('http://page.example/')
  await until('the page is shown', async () => isColour(await look(), pages['page.example']), 120_000)
  expect((await internet.reached()).some((line) => /^internet web http 203\.0\.113\.20 page\.example \/ /.test(line))).toBe(true)
})

test('it shows a page over TLS, with a certificate of an authority that it was told of', async () => {
  await open('https://page.example/tls/')
  await until('the page is shown', async () => isColour(await look(), tlsPage))
  expect((await internet.reached()).some((line) => /^internet web https 203\.0\.113\.20 page\.example \/tls\/ /.test(line)), (await internet.reached()).join('\n')).toBe(true)
})

test('it shows none of a host that is not, and reaches nothing else', async () => {
  await open('http://other.example/')
  await until('another page is shown', async () => {
    const seen = await look()
    return seen !== null && !isColour(seen, tlsPage)
  })
  const { stdout } = await until('it was refused', async () => {
    const ended = await onMachine(['egress', id, '--json'])
    return (JSON.parse(ended.stdout) as { requests: EgressRequest[] }).requests.some(({ host, allowed }) => host === 'other.example' && !allowed) && ended
  })
  expect((JSON.parse(stdout) as { requests: EgressRequest[] }).requests.filter(({ host, allowed }) => allowed && host !== 'page.example')).toEqual([])
  expect(isColour(await look(), pages['other.example'])).toBe(false)
  expect((await internet.reached()).filter((line) => !line.includes('203.0.113.20'))).toEqual([])
})
