/** True for an address that may be handed to the person's browser: the web, and nothing that runs or reads files. Pure. */
export function isOpenableUrl(url: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(url)
}
