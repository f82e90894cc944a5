const focusable = 'textarea:not([disabled]), button:not([disabled]):not([tabindex="-1"]), input:not([disabled]), select:not([disabled]), [tabindex="0"]'

/** Moves the focus to the next or the previous region of the window that can take it. */
export function moveBetweenRegions(step: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>('[data-region]')].filter(isShown)
  const at = regions.findIndex((region) => region.contains(document.activeElement))
  for (let tried = 1; tried <= regions.length; tried++) {
    const region = regions[(at + step * tried + regions.length * 2) % regions.length]!
    const target = [...region.querySelectorAll<HTMLElement>('[data-region-focus]'), ...region.querySelectorAll<HTMLElement>(focusable)].find(isShown)
    if (!target) continue
    target.focus()
    return
  }
}

function isShown(element: HTMLElement): boolean {
  return element.offsetParent !== null || getComputedStyle(element).position === 'fixed'
}
