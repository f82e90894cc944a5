/**
 * Runs a synchronous action with the account's rights, so that root never follows a link which the account planted.
 * Only the effective ids change; they come back whatever the action does.
 */
export function actAs({ uid, gid }, action) {
  const groups = process.getgroups()
  process.setgroups([gid])
  process.setegid(gid)
  process.seteuid(uid)
  try {
    return action()
  } finally {
    process.seteuid(0)
    process.setegid(0)
    process.setgroups(groups)
  }
}
