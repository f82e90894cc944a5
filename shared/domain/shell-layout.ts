/** The pane of the sandbox's own terminal, which is always there. */
export const ownPane = 'terminal'

/** Shells beside a sandbox's own terminal; sshd's own limit of sessions is four times as many. */
export const maxShells = 16
/** Panes beside or below each other in one tab; smaller ones hold no line of text. */
export const maxBeside = 3

export interface ShellTab {
  /** Columns from left to right, each of panes from top to bottom. */
  columns: string[][]
  /** The pane that has, or had last, the keys. */
  active: string
}

/** How a sandbox's terminals are arranged: as tabs, each of panes. */
export interface ShellLayout {
  tabs: ShellTab[]
  /** Index of the tab in sight. */
  shown: number
}

/** Where a new shell goes: a tab of its own, or beside or below the active pane. */
export type ShellPlace = 'tab' | 'beside' | 'below'

const tabOf = (pane: string): ShellTab => ({ columns: [[pane]], active: pane })

/** A sandbox's own terminal and nothing else. */
export const plainLayout: ShellLayout = { tabs: [tabOf(ownPane)], shown: 0 }

/** The panes of a tab, column by column. Pure, as all below. */
export const panesOf = ({ columns }: ShellTab): string[] => columns.flat()

/** The tab in sight. */
export const shownTab = ({ tabs, shown }: ShellLayout): ShellTab => tabs[shown] ?? tabs[0]!

/** The pane that gets the keys. */
export const activePane = (layout: ShellLayout): string => shownTab(layout).active

/** Whether the active pane can be divided so. */
export function canPlace(layout: ShellLayout, place: ShellPlace): boolean {
  const { columns, active } = shownTab(layout)
  if (place === 'beside') return columns.length < maxBeside
  return place === 'tab' || columns.find((column) => column.includes(active))!.length < maxBeside
}

/** Adds a pane and makes it the active one. Where there is no room for it in the tab it gets a tab of its own. */
export function addPane(layout: ShellLayout, pane: string, place: ShellPlace): ShellLayout {
  if (place === 'tab' || !canPlace(layout, place)) return { tabs: [...layout.tabs, tabOf(pane)], shown: layout.tabs.length }
  const { columns, active } = shownTab(layout)
  const divided = columns.flatMap((column) => {
    const at = column.indexOf(active)
    if (at < 0) return [column]
    return place === 'beside' ? [column, [pane]] : [column.toSpliced(at + 1, 0, pane)]
  })
  return withTab(layout, { columns: divided, active: pane })
}

/** Takes a pane away; its neighbour becomes active. The own terminal's stays. */
export function removePane(layout: ShellLayout, pane: string): ShellLayout {
  const at = layout.tabs.findIndex((tab) => panesOf(tab).includes(pane))
  if (at < 0 || pane === ownPane) return layout
  const tab = layout.tabs[at]!
  const columns = tab.columns.map((column) => column.filter((one) => one !== pane)).filter((column) => column.length > 0)
  if (columns.length === 0) {
    const shown = layout.shown > at || (layout.shown === at && at === layout.tabs.length - 1) ? layout.shown - 1 : layout.shown
    return { tabs: layout.tabs.toSpliced(at, 1), shown }
  }
  const before = panesOf(tab)
  const active = tab.active === pane ? (before[before.indexOf(pane) - 1] ?? before[1]!) : tab.active
  return { ...layout, tabs: layout.tabs.with(at, { columns, active }) }
}

/** Gives a pane another name where it stands. */
export function renamePane(layout: ShellLayout, from: string, to: string): ShellLayout {
  const rename = (pane: string) => (pane === from ? to : pane)
  return { ...layout, tabs: layout.tabs.map(({ columns, active }) => ({ columns: columns.map((column) => column.map(rename)), active: rename(active) })) }
}

/** Shows a pane's tab and gives the pane the keys. */
export function activatePane(layout: ShellLayout, pane: string): ShellLayout {
  const at = layout.tabs.findIndex((tab) => panesOf(tab).includes(pane))
  if (at < 0 || (at === layout.shown && layout.tabs[at]!.active === pane)) return layout
  return { tabs: layout.tabs.with(at, { ...layout.tabs[at]!, active: pane }), shown: at }
}

/** The pane after or before the active one, through all tabs and round. */
export function nextPane(layout: ShellLayout, step: 1 | -1): string {
  const panes = layout.tabs.flatMap(panesOf)
  return panes.at((panes.indexOf(activePane(layout)) + step) % panes.length)!
}

/**
 * A kept layout, made to fit the shells that there are: each has one place, and nothing else has any.
 * @param kept null when none was kept
 */
export function fitLayout(kept: ShellLayout | null, shells: readonly string[]): ShellLayout {
  const left = new Set([ownPane, ...shells])
  // What is taken from the set was there once: a second place of it finds nothing.
  const tabs = (kept?.tabs ?? []).flatMap(({ columns, active }, at): (ShellTab & { wasShown: boolean })[] => {
    const fitting = columns.map((column) => column.filter((pane) => left.delete(pane))).filter((column) => column.length > 0)
    const panes = fitting.flat()
    return panes.length === 0 ? [] : [{ columns: fitting, active: panes.includes(active) ? active : panes[0]!, wasShown: at === kept!.shown }]
  })
  const own = left.delete(ownPane) ? [tabOf(ownPane)] : []
  const shown = tabs.findIndex(({ wasShown }) => wasShown)
  return {
    tabs: [...own, ...tabs.map(({ columns, active }) => ({ columns, active })), ...[...left].map(tabOf)],
    shown: shown < 0 ? 0 : shown + own.length,
  }
}

/** A pane's place in the grid of its tab; lines count from 1, as in CSS. */
export interface PanePlace {
  column: number
  row: number
  rows: number
}

/** Lines of a grid in which columns of one, two and three panes each fill the height. */
export const gridRows = 6

/** Where a pane of a tab stands; undefined when it is not in it. */
export function placeOf({ columns }: ShellTab, pane: string): PanePlace | undefined {
  for (const [index, column] of columns.entries()) {
    const at = column.indexOf(pane)
    const rows = gridRows / column.length
    if (at >= 0) return { column: index + 1, row: at * rows + 1, rows }
  }
  return undefined
}

function withTab(layout: ShellLayout, tab: ShellTab): ShellLayout {
  return { ...layout, tabs: layout.tabs.with(layout.tabs.indexOf(shownTab(layout)), tab) }
}
