import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { extname, join, normalize, sep } from 'node:path'
import { Failure } from '../process/failure.mjs'

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2', '.svg': 'image/svg+xml' }
const readyTimeoutMs = 60_000

/**
 * The window's scenes in the runtime that the app uses. @param {string} root @param {NodeJS.ProcessEnv} env names the
 * runtime and the display
 */
export async function openScenes(root, env) {
  const require = createRequire(join(root, 'package.json'))
  const { _electron } = require('playwright-core')
  buildScenes(root)
  const server = await serve(join(root, 'dist/scenes'))
  const userData = mkdtempSync(join(tmpdir(), 'paddock-scenes-'))
  const app = await _electron.launch({
    ...(env.ELECTRON_OVERRIDE_DIST_PATH ? { executablePath: join(env.ELECTRON_OVERRIDE_DIST_PATH, 'electron') } : {}),
    args: [join(root, 'scripts/electron/scenes-app'), `--user-data-dir=${userData}`],
    env,
    chromiumSandbox: true,
  })
  const page = await app.firstWindow()
  const errors = []
  page.on('pageerror', (error) => errors.push(error.message))
  const open = async (scene, theme) => {
    errors.length = 0
    await page.goto(`${server.address}/dev/dev.html?scene=${scene}&theme=${theme}`)
    await page.waitForFunction('window.isSceneReady', undefined, { timeout: readyTimeoutMs })
    await page.waitForTimeout(500)
    if (errors.length > 0) throw new Failure(`the scene ${scene} fails`, { why: errors.join('\n') })
  }
  return {
    page,
    open,
    async names() {
      await open('project', 'light')
      return page.evaluate('window.sceneNames')
    },
    resize: (width, height) => app.evaluate(({ BrowserWindow }, [w, h]) => BrowserWindow.getAllWindows()[0].setContentSize(w, h), [width, height]),
    /** What axe finds serious or worse, a line each. */
    setTheme: (theme) => page.evaluate(`window.store.getState().changeSettings({ theme: '${theme}' })`),
    async faults(rules) {
      await page.evaluate(readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8'))
      const { violations } = await page.evaluate(`axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...(rules && { runOnly: rules }) })})`)
      return violations
        .filter(({ impact }) => impact === 'serious' || impact === 'critical')
        .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`))
    },
    async close() {
      await app.close()
      server.close()
      rmSync(userData, { recursive: true, force: true })
    },
  }
}

function buildScenes(root) {
  const argv = [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--config', 'vite.renderer.config.ts', '--mode', 'scenes', '--configLoader', 'runner', '--logLevel', 'warn']
  const { status, stderr } = spawnSync(process.execPath, argv, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Failure('the scenes could not be built', { why: stderr.trim() })
}

/** Modules are not loaded from files, so a server on this machine only hands them out. */
async function serve(folder) {
  const server = createServer((request, response) => {
    const path = normalize(join(folder, decodeURIComponent(new URL(request.url, 'http://localhost').pathname)))
    const type = types[extname(path)]
    if (!type || !path.startsWith(folder + sep)) return response.writeHead(404).end()
    try {
      response.writeHead(200, { 'content-type': type }).end(readFileSync(path))
    } catch {
      response.writeHead(404).end()
    }
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }
}
