/**
 * What the fallback runtime runs: it starts the app that the command line names, as Electron's own default app does.
 * Electron waits for this module before it says "ready", so the app's top level runs in time.
 *
 * @see https://github.com/electron/electron/blob/main/default_app/main.ts
 */
import { app } from 'electron'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const { file, modules, isVersion } = readArguments(process.argv.slice(1))
if (isVersion) {
  process.stdout.write(`v${process.versions.electron}\n`)
  process.exit(0)
}
if (!file) {
  process.stderr.write('Name the folder or file of an app: electron FOLDER\n')
  process.exit(2)
}
const require = createRequire(import.meta.url)
// Playwright's loader comes this way. It may change argv, which is why argv was read before.
for (const module of modules) require(resolve(module))
await load(resolve(file))

function readArguments(args) {
  const modules = []
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index]
    if (argument === '--version' || argument === '-v') return { modules, isVersion: true }
    if (argument === '--require' || argument === '-r') modules.push(args[(index += 1)])
    else if (!argument.startsWith('-')) return { modules, file: argument }
  }
  return { modules }
}

async function load(path) {
  Object.defineProperty(process, 'defaultApp', { enumerable: true, value: true })
  const description = join(path, 'package.json')
  const isFolder = existsSync(description)
  if (isFolder) describe(JSON.parse(readFileSync(description, 'utf8')))
  const main = resolveMain(path)
  app.setAppPath(isFolder ? path : dirname(main))
  await import(pathToFileURL(main).href)
}

function resolveMain(path) {
  try {
    return Module._resolveFilename(path, null, true)
  } catch (error) {
    process.stderr.write(`There is no app at ${path}: ${error.message}\n`)
    process.exit(1)
  }
}

function describe({ name, productName, version, desktopName }) {
  if (version) app.setVersion(version)
  if (productName || name) app.name = productName ?? name
  app.setDesktopName(desktopName ?? `${app.name}.desktop`)
}
