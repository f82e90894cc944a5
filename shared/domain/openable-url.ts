/** True for an address that may be handed to the person's browser: the web, and nothing that runs or reads files. Pure. */
export function isOpenableUrl(url: string): boolean {
  return /^https?:\/\/[^\s/]\P{Cc}*$/iu.test(url) && URL.canParse(url)
}

/** What a person typed as an address: without a scheme it is https, and http on this very machine, where few have a certificate. Pure. */
export function typedUrl(text: string): string {
  const typed = text.trim()
  if (typed.includes('://')) return typed
  return `${/^(localhost|127\.[\d.]+|\[::1\])([:/]|$)/i.test(typed) ? 'http' : 'https'}://${typed}`
}
