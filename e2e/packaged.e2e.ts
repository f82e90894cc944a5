import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listPackage } from '@electron/asar'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import afterPack from '../build/after-pack.mjs'
import packageJson from '../package.json' with { type: 'json' }
import { openStdio } from './fixtures/mcp.ts'
import { recordAppImage, recordFpm, type FpmCall } from './fixtures/package-targets.ts'
import { openPackaged, packApp, type Packaged, type PackagedWindow } from './fixtures/packaged-app.ts'
import { launch, writeSettings } from './fixtures/window-app.ts'
import { createWorld, exec, root, until, type World } from './harness.ts'

const output = mkdtempSync(join(tmpdir(), 'paddock-packaged-'))
let packaged: Packaged
let world: World

beforeAll(async () => {
  world = createWorld('packaged')
  writeSettings(world)
  packaged = await packApp(output)
}, 120_000)
afterAll(async () => {
  await world?.dispose()
  rmSync(output, { recursive: true, force: true })
})

describe('a packaged app', () => {
  test('holds what it loads, and nothing else of Paddock', () => {
    const names = listPackage(join(packaged.folder, 'resources/app.asar'), { isPack: false })
    for (const name of ['main.cjs', 'preload.cjs', 'paddock.cjs', 'renderer/index.html', 'renderer/tray.png', 'renderer/icons/256x256.png']) expect(names).toContain(`/dist/${name}`)
    expect([...new Set(names.map((name) => name.split('/')[1]))].sort()).toEqual(['dist', 'node_modules', 'package.json', 'profiles'])
    const needless = /\.(ts|map|c|cc|h|gyp)$|\/(test|tests|prebuilds)\/|\.test\.|^\/dist\/(bench|scenes)/
    expect(names.filter((name) => needless.test(name))).toEqual([])
    const packages = new Set(names.filter((name) => name.startsWith('/node_modules/')).map((name) => name.split('/')[2]))
    for (const name of ['node-pty', 'dockerode']) expect(packages).toContain(name)
    for (const name of ['.bin', '.vite', 'cpu-features', 'execa', ...Object.keys(packageJson.devDependencies)]) expect(packages).not.toContain(name)
  })

  test('has outside the archive what Podman reads and what the system loads', () => {
    const unpacked = join(packaged.folder, 'resources/app.asar.unpacked')
    expect(readdirSync(join(unpacked, 'profiles')).sort()).toEqual(['base', 'default', 'desktop', 'egress', 'minimal'])
    for (const file of ['Containerfile', 'entrypoint']) {
      const path = `profiles/minimal/${file}`
      expect(readFileSync(join(unpacked, path), 'utf8')).toBe(readFileSync(join(root, path), 'utf8'))
      expect(statSync(join(unpacked, path)).mode & 0o111).toBe(statSync(join(root, path)).mode & 0o111)
    }
    expect(existsSync(join(unpacked, 'node_modules/node-pty/build/Release/pty.node'))).toBe(true)
  })

  test('holds nothing of the runtime’s own app', () => {
    expect(readdirSync(join(packaged.folder, 'resources')).sort()).toEqual(['app.asar', 'app.asar.unpacked'])
    for (const name of ['version', 'recipe', 'electron']) expect(existsSync(join(packaged.folder, name))).toBe(false)
  })

  test('has every fuse set that closes something, but the one by which the command runs', async () => {
    const wire = await getCurrentFuseWire(packaged.program)
    const state = (fuse: FuseV1Options) => FuseState[wire[fuse]!]
    expect(state(FuseV1Options.RunAsNode)).toBe('ENABLE')
    expect(state(FuseV1Options.EnableCookieEncryption)).toBe('ENABLE')
    expect(state(FuseV1Options.EnableNodeOptionsEnvironmentVariable)).toBe('DISABLE')
    expect(state(FuseV1Options.EnableNodeCliInspectArguments)).toBe('DISABLE')
    expect(state(FuseV1Options.EnableEmbeddedAsarIntegrityValidation)).toBe('ENABLE')
    expect(state(FuseV1Options.OnlyLoadAppFromAsar)).toBe('ENABLE')
    expect(state(FuseV1Options.LoadBrowserProcessSpecificV8Snapshot)).toBe('DISABLE')
    expect(state(FuseV1Options.GrantFileProtocolExtraPrivileges)).toBe('DISABLE')
  })

  test('becomes no package when its Electron is another than users get, or its addon is for another architecture', () => {
    const pack = (target: string, electron: string, arch: number) =>
      afterPack({ appOutDir: packaged.folder, arch, targets: [{ name: target }], packager: { executableName: 'paddock-app', info: { metadata: { devDependencies: { electron } } } } } as never)
    const [own, other] = process.arch === 'x64' ? [1, 3] : [3, 1]
    expect(() => pack('deb', '1.2.3', own)).toThrow(/Packages for users need Electron 1\.2\.3, and this is \d+/)
    expect(() => pack('dir', '1.2.3', own)).not.toThrow()
    expect(() => pack('dir', '1.2.3', other)).toThrow('node-pty is not compiled for')
  })
})

describe.each(['deb', 'rpm'] as const)('a %s of it', (type) => {
  let fpm: FpmCall
  beforeAll(async () => {
    fpm = await recordFpm(packaged.folder, type, output)
  }, 60_000)

  test('installs the command on the path', () => {
    expect(fpm.read('/usr/bin/paddock')).toContain('exec /opt/Paddock/bin/paddock "$@"')
    expect(fpm.args.find((word) => word.endsWith('=/opt/Paddock'))).toBe(`${packaged.folder}/=/opt/Paddock`)
    expect(fpm.args).toContain('--exclude=opt/Paddock/AppRun')
  })

  test('brings the icon in every size, and drawn', () => {
    for (const size of [16, 22, 24, 32, 48, 64, 128, 256, 512]) expect(fpm.args.some((word) => word.endsWith(`=/usr/share/icons/hicolor/${size}x${size}/apps/paddock-app.png`))).toBe(true)
    expect(fpm.read('/usr/share/icons/hicolor/scalable/apps/paddock-app.svg')).toContain('<svg')
  })

  test('has a menu entry that file managers offer for folders', () => {
    const entry = fpm.read('/usr/share/applications/paddock.desktop').split('\n')
    for (const line of ['Name=Paddock', 'Exec=/opt/Paddock/paddock-app %F', 'Icon=paddock-app', 'MimeType=inode/directory;', 'StartupWMClass=paddock', 'Categories=Development;']) expect(entry).toContain(line)
  })

  test('allows the app the user namespaces that Chromium’s sandbox needs', () => {
    const profile = readFileSync(join(packaged.folder, 'resources/apparmor-profile'), 'utf8')
    expect(profile).toMatch(/"\/opt\/Paddock\/paddock-app" flags=\(unconfined\) \{\s+userns,/)
  })
})

describe('an AppImage of it', () => {
  test('starts by our own AppRun, and its menu entry has one field code', async () => {
    const record = await recordAppImage(packaged.folder, output)
    expect(readFileSync(join(record, 'AppRun'), 'utf8')).toBe(readFileSync(join(root, 'build/linux/AppRun'), 'utf8'))
    expect(readFileSync(join(record, 'paddock.desktop'), 'utf8').split('\n')).toContain('Exec=AppRun %U')
  })
})

describe('its command', () => {
  // As in an SSH session.
  const bare = () => ({ ...world.env, DISPLAY: undefined, WAYLAND_DISPLAY: undefined })

  test('knows its version and profiles, and runs a sandbox', async () => {
    const version = await exec([packaged.command, '--version'], { env: bare(), cwd: world.folder })
    expect(version.stdout.trim(), version.stderr).toBe(packageJson.version)
    const profiles = await exec([packaged.command, 'profiles', '--json'], { env: bare(), cwd: world.folder })
    expect((JSON.parse(profiles.stdout) as { name: string }[]).map(({ name }) => name).sort(), profiles.stderr).toEqual(['base', 'default', 'desktop', 'egress', 'minimal'])
    const run = await exec([packaged.command, 'run', 'minimal', '--project', world.project(), '--', 'sh', '-c', 'pwd; env; exit 3'], { env: bare(), cwd: world.folder })
    expect(run.code, run.stderr).toBe(3)
    expect(run.stdout).toMatch(/^\/home\/ai\/sandbox$/m)
    expect(run.stdout).not.toContain('ELECTRON_RUN_AS_NODE')
  })

  test('is what an AppImage runs by that name', async () => {
    const named = await exec([join(packaged.folder, 'AppRun'), '--version'], { env: { ...bare(), APPDIR: packaged.folder, ARGV0: '/home/ada/bin/paddock' } })
    expect(named.stdout.trim(), named.stderr).toBe(packageJson.version)
  })

  test('serves MCP, as it is and as an AppImage runs it', async () => {
    const project = world.project('mcp')
    // What an AppImage's runtime sets before it runs AppRun; the window's texts for clients start it by that name.
    const asAppImage = { words: [join(packaged.folder, 'AppRun')] as const, env: { APPDIR: packaged.folder, APPIMAGE: join(output, 'Paddock.AppImage'), ARGV0: 'paddock' } }
    for (const paddock of [{ words: [packaged.command] as const }, asAppImage]) {
      const client = await openStdio(world, ['--project', project, '--profile', 'minimal'], { ...paddock, env: { ...bare(), ...('env' in paddock ? paddock.env : {}) } })
      try {
        expect(await client.value('run_workspace_command', { command: 'echo packed; exit 3' })).toMatchObject({ stdout: 'packed\n', exit_code: 3 })
      } finally {
        await client.close()
      }
    }
  })

  test('takes no code from NODE_OPTIONS', async () => {
    const trap = join(world.folder, 'trap.cjs')
    writeFileSync(trap, `require('fs').writeFileSync(${JSON.stringify(join(world.folder, 'trapped'))}, '')`)
    const { code } = await exec([packaged.command, '--version'], { env: { ...world.env, NODE_OPTIONS: `--require=${trap}` } })
    expect(code).toBe(0)
    expect(existsSync(join(world.folder, 'trapped'))).toBe(false)
  })
})

describe('its window', () => {
  let window: PackagedWindow
  beforeAll(async () => {
    window = await openPackaged(packaged, world, [world.project('given')])
  }, 60_000)
  afterAll(() => window?.kill())

  test('opens on the folder that it was started with', async () => {
    await window.page.getByRole('navigation').getByRole('button', { name: 'given', exact: true }).waitFor()
  })

  test('launches a sandbox whose terminal takes commands', async () => {
    const folder = world.project('Über den Wolken')
    await launch(window, folder)
    await window.type('echo made-$((6 * 7)) | tee "aus der Sandbox"')
    await window.shows(/made-42/)
    expect(readFileSync(join(folder, 'aus der Sandbox'), 'utf8')).toBe('made-42\n')
    const list = await exec([packaged.command, 'ls', '--json'], { env: world.env })
    expect((JSON.parse(list.stdout) as unknown[]).filter((sandbox) => (sandbox as { project: string }).project === folder)).toMatchObject([{ state: 'running' }])
  })

  test('gets the folder that the command is told to open', async () => {
    const opened = await exec([packaged.command, 'open', world.project('opened')], { env: world.env, cwd: world.folder })
    expect(opened.code, opened.stderr).toBe(0)
    await window.page.getByRole('navigation').getByRole('button', { name: 'opened', exact: true }).waitFor()
  })

  test('keeps its page in Chromium’s sandbox, which the kernel confirms', () => {
    const filters = (pid: number | 'self') => Number(/^Seccomp_filters:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
    const [page] = renderersOf(packaged)
    expect(filters(page!)).toBeGreaterThan(filters('self'))
  })
})

describe('without Chromium’s sandbox', () => {
  test.each([
    ['by an argument', ['--no-sandbox'], {}],
    ['by a variable', [], { ELECTRON_DISABLE_SANDBOX: '1' }],
  ])('switched off %s, it opens no page and says why', async (_how, args, env) => {
    const child = spawn(packaged.program, args, { env: { ...process.env, ...world.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'], cwd: world.folder })
    const over = new Promise((resolve) => child.once('exit', resolve))
    try {
      let said = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
      await until('it says why', () => said.includes('window is not opened without it'))
      expect(renderersOf(packaged)).toEqual([])
    } finally {
      child.kill('SIGKILL')
      await over
    }
  })
})

/** Process ids of the pages of a packaged app. */
function renderersOf({ program }: Packaged): number[] {
  const commandLine = (pid: string) => (existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '')
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandLine(name).startsWith(program) && commandLine(name).includes('--type=renderer'))
    .map(Number)
}
