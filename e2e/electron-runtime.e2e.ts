import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron, type ElectronApplication, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'paddock-runtime-'))
let app: ElectronApplication
let page: Page

beforeAll(async () => {
  app = await _electron.launch({
    args: [join(import.meta.dirname, 'fixtures/electron-app'), `--user-data-dir=${folder}`],
    // Without it Playwright adds --no-sandbox.
    chromiumSandbox: true,
    timeout: 60_000,
  })
  page = await app.firstWindow()
}, 90_000)

afterAll(async () => {
  await app?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('the Electron runtime', () => {
  it('starts an app from its sources under its own name and version', async () => {
    const facts = await app.evaluate(({ app }) => ({
      name: app.name,
      version: app.getVersion(),
      path: app.getAppPath(),
      isPackaged: app.isPackaged,
    }))
    expect(facts).toEqual({
      name: 'Runtime probe',
      version: '1.2.3',
      path: join(import.meta.dirname, 'fixtures/electron-app'),
      isPackaged: false,
    })
  })

  it('shows a page and takes its picture', async () => {
    expect(await page.locator('h1').textContent()).toBe('Grüße aus dem Fenster')
    const picture = await page.screenshot({ path: join(folder, 'window.png') })
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    // A blank picture of this size is far smaller.
    expect(picture.length).toBeGreaterThan(3000)
  })

  it('keeps the page in Chromium’s sandbox, which the kernel confirms', async () => {
    expect(await page.evaluate('window.probe')).toEqual({ isSandboxed: true, isIsolated: true })
    const renderer = await app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]!.webContents.getOSProcessId(),
    )
    const filters = (pid: number | 'self') =>
      Number(/^Seccomp_filters:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    expect(filters(renderer)).toBeGreaterThan(filters('self'))
  })

  it('runs a terminal with the addon that was compiled for Node', async () => {
    const terminal = await app.evaluate(() =>
      (globalThis as unknown as { openTerminal(argv: string[]): Promise<unknown> }).openTerminal([
        'echo',
        'from the pty',
      ]),
    )
    expect(terminal).toEqual({ text: 'from the pty\r\n', exitCode: 0 })
  })
})
