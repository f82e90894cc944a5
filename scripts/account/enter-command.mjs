import { unifiedFolder } from './hybrid-cgroups.mjs'

/**
 * The command with which root runs something as the account, in the same terminal and process group. Every program in
 * it becomes the next one, so signals meet the last.
 *
 * @param {object} entry
 * @param {{ uid: number, gid: number }} entry.account
 * @param {string} [entry.hideScript] script that hides cgroup version 2 first, where that is needed
 * @param {string[]} entry.argv
 */
export function enterCommand({ account, hideScript, argv }) {
  const become = ['setpriv', `--reuid=${account.uid}`, `--regid=${account.gid}`, '--init-groups', '--', ...argv]
  if (!hideScript) return become
  return ['unshare', '--mount', '--propagation', 'private', '--', 'sh', hideScript, unifiedFolder, ...become]
}
