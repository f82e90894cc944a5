/** True when a fix reads as a command for a shell; otherwise it is a sentence to read. Pure. */
export function isRunnableFix(fix: string): boolean {
  return /^(sudo|podman|systemctl|loginctl|apt|apt-get|dnf|zypper|pacman|paddock|npm|usermod|echo|modprobe) \S/.test(fix) && !/[.;,] then /.test(fix)
}
