import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ask } from '../process/run-step.mjs'
import { findProgram } from '../host/find-program.mjs'

/** Settings without which another account may not reach the registry or cannot compile. */
const reachSettings = ['registry', 'cafile', 'proxy', 'https-proxy', 'noproxy', 'strict-ssl', 'nodedir']

/** How to start npm with this very Node: the npm that started us, the one beside Node, or the one on the path. */
export function npmCommand(environment = process.env) {
  const beside = join(dirname(dirname(realpathSync(process.execPath))), 'lib/node_modules/npm/bin/npm-cli.js')
  const script = [environment.npm_execpath, beside].find(
    (file) => file && basename(file) === 'npm-cli.js' && existsSync(file),
  )
  return script ? [process.execPath, script] : [findProgram('npm') ?? 'npm']
}

/**
 * This account's npm settings as variables, for another account whose npm reads other files.
 *
 * @returns {Record<string, string>}
 */
export function exportNpmSettings(environment = process.env) {
  return parseNpmSettings(
    ask([...npmCommand(environment), 'config', 'get', ...reachSettings], { env: environment, cwd: '/' }) ?? '',
  )
}

/** What `npm config get a b` prints, one `name=value` a line, as `npm_config_*`; unset ones are left out. */
export function parseNpmSettings(text) {
  const variables = {}
  for (const line of text.split('\n')) {
    const [name, value] = line.split(/=(.*)/)
    if (!reachSettings.includes(name) || !value || ['null', 'undefined'].includes(value)) continue
    variables[`npm_config_${name.replaceAll('-', '_')}`] = value
  }
  return variables
}

/**
 * The headers that belong to this Node, so that compiling an addon downloads nothing.
 *
 * @returns {string | undefined} what node-gyp calls nodedir
 */
export function findNodeHeaders(node = process.execPath, version = process.versions.node) {
  const prefix = dirname(dirname(realpathSync(node)))
  try {
    const header = readFileSync(join(prefix, 'include/node/node_version.h'), 'utf8')
    const part = (name) => new RegExp(`#define NODE_${name}_VERSION (\\d+)`).exec(header)?.[1]
    return [part('MAJOR'), part('MINOR'), part('PATCH')].join('.') === version ? prefix : undefined
  } catch {
    return undefined
  }
}
