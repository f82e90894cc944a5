// npm settings that name root's own files and folders; the account has its own.
const ownNpmSettings = [
  'userconfig',
  'globalconfig',
  'cache',
  'prefix',
  'global_prefix',
  'local_prefix',
  'init_module',
  'node_gyp',
  'logs_dir',
  'tmp',
]

// Handles of root's session, useless or wrong for another account.
const ownVariables = new Set([
  'DBUS_SESSION_BUS_ADDRESS',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'SSH_AUTH_SOCK',
  'GNUPGHOME',
  'XAUTHORITY',
  'MAIL',
  'OLDPWD',
  'PWD',
  'SHLVL',
  '_',
  'TMPDIR',
])

const systemFolders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

/**
 * The environment in which the account goes on: root's, so that proxies, CA files, keys and `PADDOCK_*` still count,
 * without what belongs to root.
 *
 * @param {object} facts
 * @param {NodeJS.ProcessEnv} facts.environment root's
 * @param {{ name: string, home: string, shell: string }} facts.account
 * @param {string} facts.runtimeFolder `/run/user/UID`
 * @param {boolean} facts.hasSessionBus whether the runtime folder holds the account's own bus
 * @param {string} facts.cwd the folder in which the person typed the command
 * @param {(folder: string) => boolean} facts.canEnter whether the account may enter a folder of PATH
 */
export function accountEnvironment({ environment, account, runtimeFolder, hasSessionBus, cwd, canEnter }) {
  const kept = Object.entries(environment).filter(([name]) => !belongsToRoot(name))
  return {
    ...Object.fromEntries(kept),
    PATH: accountPath(environment.PATH ?? '', canEnter),
    HOME: account.home,
    USER: account.name,
    LOGNAME: account.name,
    SHELL: account.shell,
    XDG_RUNTIME_DIR: runtimeFolder,
    ...(hasSessionBus ? { DBUS_SESSION_BUS_ADDRESS: `unix:path=${runtimeFolder}/bus` } : {}),
    // Both: npm sets the first anew in each run, and it is the one that wins.
    INIT_CWD: cwd,
    PADDOCK_CWD: cwd,
  }
}

function belongsToRoot(name) {
  if (name.startsWith('XDG_') || name.startsWith('SUDO_') || ownVariables.has(name)) return true
  if (/^npm_(package|lifecycle)_/.test(name)) return true
  const setting = /^npm_config_(.*)$/i.exec(name)?.[1]
  return setting !== undefined && ownNpmSettings.includes(setting.toLowerCase().replaceAll('-', '_'))
}

/** Root's search path as far as the account can use it; the system's folders are always in it. */
export function accountPath(path, canEnter) {
  const folders = path
    .split(':')
    .filter((folder) => folder.startsWith('/') && !folder.endsWith('/node_modules/.bin') && canEnter(folder))
  return [...new Set([...folders, ...systemFolders])].join(':')
}
