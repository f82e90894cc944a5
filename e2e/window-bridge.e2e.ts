import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWindow, type WindowApp } from './fixtures/window-app.ts'
import { createWorld, root, type World } from './harness.ts'

// What a page that was taken over, or that is not ours, could try against the main process.
let world: World
let window: WindowApp

beforeAll(async () => {
  world = createWorld('window-bridge')
  window = await openWindow(world)
})
afterAll(async () => {
  await window?.kill()
  await world.dispose()
})

const run = (script: string): Promise<unknown> => window.page.evaluate(script)
const refused = { ok: false, error: { code: 'usage', message: 'This page may not call Paddock.' } }

/** Loads a page that is not ours with our own preload script, and asks it something. */
async function foreign(url: string, script: string): Promise<unknown> {
  return window.app.evaluate(
    async ({ BrowserWindow }, { url, script, preload }) => {
      const other = new BrowserWindow({ show: false, webPreferences: { preload, contextIsolation: true, sandbox: true } })
      await other.loadURL(url).catch(() => {})
      const answer = await other.webContents.executeJavaScript(script)
      other.destroy()
      return answer
    },
    { url, script, preload: join(root, 'dist/preload.cjs') },
  )
}

describe('the page', () => {
  test('has nothing of Node and only the five words of the bridge', async () => {
    expect(await run('[typeof require, typeof process, typeof module, typeof Buffer, typeof global].join()')).toBe('undefined,undefined,undefined,undefined,undefined')
    expect(await run('Object.keys(paddock).sort().join()')).toBe('call,cancel,offerFiles,onEvent,pathOf')
  })

  test('is in Chromium’s sandbox', async () => {
    const pid = await window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]!.webContents.getOSProcessId())
    const filters = (of: number | 'self') => Number(/^Seccomp_filters:\s*(\d+)$/m.exec(readFileSync(`/proc/${of}/status`, 'utf8'))?.[1])
    expect(filters(pid)).toBeGreaterThan(filters('self'))
  })

  test('cannot be left, and opens no window', async () => {
    await run("location.href = 'https://example.com/'; undefined")
    await run("location.href = 'paddock://app/index.html?elsewhere'; undefined").catch(() => {})
    await run("document.body.append(Object.assign(document.createElement('a'), { href: 'data:text/html,x', id: 'away' })); document.getElementById('away').click(); undefined")
    expect(await run("window.open('https://example.com/')")).toBeNull()
    expect(await run("window.open('paddock://app/')")).toBeNull()
    await window.page.waitForTimeout(300)
    expect(await run('location.href')).toBe('paddock://app/')
    expect(await window.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1)
  })

  test('runs no inline script, no eval and nothing from elsewhere', async () => {
    const violations = await run(`new Promise((resolve) => {
      const seen = []
      addEventListener('securitypolicyviolation', ({ effectiveDirective }) => seen.push(effectiveDirective))
      document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.inline = 1' }))
      document.body.append(Object.assign(document.createElement('script'), { src: 'data:text/javascript,window.fromData=1' }))
      document.body.append(Object.assign(document.createElement('script'), { src: 'https://example.com/x.js' }))
      document.body.append(Object.assign(document.createElement('iframe'), { src: 'https://example.com/' }))
      document.body.append(Object.assign(document.createElement('img'), { src: 'https://example.com/x.png' }))
      const button = document.createElement('button'); button.setAttribute('onclick', 'window.handler = 1'); button.click()
      fetch('https://example.com/').catch(() => {})
      setTimeout(() => resolve(seen.sort()), 500)
    })`)
    expect(violations).toEqual(expect.arrayContaining(['connect-src', 'frame-src', 'img-src', 'script-src-attr', 'script-src-elem']))
    expect(await run('[window.inline, window.fromData, window.handler].join()')).toBe(',,')
    await expect(run("fetch('https://example.com/').then(() => 'reached')")).rejects.toThrow()
  })

  test('has no bridge in an empty frame either', async () => {
    expect(await run("(() => { const frame = document.createElement('iframe'); document.body.append(frame); return typeof frame.contentWindow.paddock })()")).toBe('undefined')
  })

  test('gets no permission but the clipboard', async () => {
    expect(await run("Notification.requestPermission()")).toBe('denied')
    expect(await run("navigator.mediaDevices.getUserMedia({ audio: true }).then(() => 'granted', ({ name }) => name)")).not.toBe('granted')
  })
})

describe('a page that is not ours', () => {
  test.each(['data:text/html,<p>x', 'about:blank', 'paddock://evil/', 'file:///etc/hostname'])('is refused every call: %s', async (url) => {
    const answer = await foreign(url, "typeof paddock === 'undefined' ? 'no bridge' : paddock.call('settings.get', {}, 'x')")
    expect(['no bridge', refused]).toContainEqual(answer)
  })

  test('gets no terminal', async () => {
    const said = await foreign(
      'data:text/html,<p>x',
      "new Promise((resolve) => { const { port1, port2 } = new MessageChannel(); port1.onmessage = ({ data }) => resolve(data); postMessage({ type: 'paddock:terminal', terminalId: 'x' }, '*', [port2]); setTimeout(() => resolve('nothing'), 1000) })",
    )
    expect([{ type: 'exit', exitCode: null }, 'nothing']).toContainEqual(said)
  })
})

describe('the bridge', () => {
  const usage = { ok: false, error: { code: 'usage' } }

  test.each([
    ['an unknown call', 'no.such', {}],
    ['a name of every object', '__proto__', {}],
    ['a constructor', 'constructor', {}],
    ['an input of another type', 'sandbox.stop', { ids: 'x' }],
    ['no input', 'project.add', null],
    ['an option for an id', 'sandbox.attach', { id: '--latest' }],
    ['an option for an id', 'sandbox.command', { id: '--all' }],
    ['a file to open outside', 'app.openExternal', { url: 'file:///etc/passwd' }],
    ['a script to open outside', 'app.openExternal', { url: 'javascript:alert(1)' }],
    ['a program’s scheme to open outside', 'app.openExternal', { url: 'vscode://file/etc/passwd' }],
    ['no address to open outside', 'app.openExternal', { url: 'nonsense' }],
    ['an option for an id', 'files.list', { id: '--latest', root: 'project', path: '.' }],
    ['a way out of a sandbox’s folder', 'files.list', { id: 'a'.repeat(64), root: '/', path: '.' }],
    ['a path of this machine to copy in', 'files.copyIn', { id: 'a'.repeat(64), root: 'project', path: '.', offerId: '/etc/passwd', replaces: true }],
    ['a port that is none', 'ports.forward', { id: 'a'.repeat(64), port: 70_000 }],
    ['an unknown setting', 'settings.set', { podman: '/bin/evil' }],
  ])('refuses %s', async (_what, name, input) => {
    expect(await window.call(name, input)).toMatchObject(usage)
  })

  test('takes no file that the page has made', async () => {
    expect(await run("paddock.offerFiles([new File(['x'], '/etc/passwd')])")).toBeNull()
  })

  test('refuses a name and a call id that are none', async () => {
    expect(await run("paddock.call({ toString: 'x' }, {}, 'id')")).toMatchObject(usage)
    expect(await run("paddock.call('settings.get', {}, 'x'.repeat(100))")).toMatchObject(usage)
    expect(await run("paddock.call('settings.get', {}, 7)")).toMatchObject(usage)
  })

  test('opens no folder that is not a project', async () => {
    expect(await window.call('project.reveal', { folder: '/etc' })).toMatchObject({ ok: false, error: { code: 'project-refused' } })
    expect(await window.call('project.add', { folder: '/' })).toMatchObject({ ok: false, error: { code: 'project-refused' } })
  })
})

describe('the app’s own scheme', () => {
  const status = (path: string) => run(`fetch(${JSON.stringify(path)}).then(({ status }) => status, () => 'failed')`)

  test('serves the window’s files', async () => {
    expect(await status('/index.html')).toBe(200)
    expect(await run("fetch('/').then(({ headers }) => headers.get('content-security-policy'))")).toContain("default-src 'none'")
  })

  test.each(['/../main.cjs', '/..%2fmain.cjs', '/%2e%2e/preload.cjs', '/%2e%2e%2fpreload.cjs', '/..%2f..%2fpackage.json', '//etc/hostname', '/%2fetc%2fhostname.html', '/a%00.html', '/%', '/..\\\\main.cjs', '/assets'])(
    'serves nothing else: %s',
    async (path) => {
      expect(existsSync(join(root, 'dist/main.cjs'))).toBe(true)
      expect(await status(path)).toSatisfy((code: unknown) => code === 404 || code === 'failed')
    },
  )
})
