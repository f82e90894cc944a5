import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { shellLayoutSchema } from '../contract/shell-contract.ts'
import {
  activatePane, activePane, addPane, canPlace, fitLayout, maxBeside, nextPane, ownPane, panesOf, placeOf, plainLayout, removePane, renamePane, type ShellLayout, type ShellPlace, shownTab,
} from './shell-layout.ts'

const columns = (layout: ShellLayout) => layout.tabs.map((tab) => tab.columns)
const own = ownPane

describe('a new pane', () => {
  test('gets a tab of its own, and the keys', () => {
    const layout = addPane(plainLayout, 'a', 'tab')
    expect(columns(layout)).toEqual([[[own]], [['a']]])
    expect(activePane(layout)).toBe('a')
  })

  test('beside stands right of the active one, below stands under it', () => {
    const beside = addPane(addPane(plainLayout, 'a', 'beside'), 'b', 'below')
    expect(columns(beside)).toEqual([[[own], ['a', 'b']]])
    expect(columns(addPane(activatePane(beside, own), 'c', 'beside'))).toEqual([[[own], ['c'], ['a', 'b']]])
  })

  test('for which there is no room in the tab gets one of its own', () => {
    let layout = plainLayout
    for (const pane of ['a', 'b']) layout = addPane(layout, pane, 'beside')
    expect(canPlace(layout, 'beside')).toBe(false)
    expect(columns(addPane(layout, 'c', 'beside'))).toEqual([[[own], ['a'], ['b']], [['c']]])
  })
})

describe('a pane that goes', () => {
  test('leaves the keys to its neighbour, and the tab goes with its last', () => {
    const layout = addPane(addPane(addPane(plainLayout, 'a', 'tab'), 'b', 'beside'), 'c', 'below')
    const less = removePane(layout, 'c')
    expect([columns(less)[1], activePane(less)]).toEqual([[['a'], ['b']], 'b'])
    expect(activePane(removePane(less, 'a'))).toBe('b')
    expect(removePane(removePane(less, 'a'), 'b')).toEqual(plainLayout)
  })

  test('of a tab out of sight moves nothing that is in sight', () => {
    const layout = addPane(addPane(plainLayout, 'a', 'tab'), 'b', 'tab')
    expect(activePane(removePane(layout, 'a'))).toBe('b')
    expect(activePane(removePane(activatePane(layout, own), 'b'))).toBe(own)
  })

  test('cannot be the own terminal’s', () => {
    expect(removePane(plainLayout, own)).toBe(plainLayout)
  })
})

test('the keys go through all panes of all tabs, and round', () => {
  let layout = addPane(addPane(addPane(plainLayout, 'a', 'beside'), 'b', 'tab'), 'c', 'below')
  const seen: string[] = []
  for (let step = 0; step < 4; step++) {
    layout = activatePane(layout, nextPane(layout, 1))
    seen.push(activePane(layout))
  }
  expect(seen).toEqual([own, 'a', 'b', 'c'])
  expect(nextPane(activatePane(layout, own), -1)).toBe('c')
})

test('a tab that is gone to again gives the keys to the pane that had them', () => {
  const layout = addPane(addPane(addPane(plainLayout, 'a', 'beside'), 'b', 'tab'), 'c', 'tab')
  expect(activePane(activatePane(layout, layout.tabs[0]!.active))).toBe('a')
})

describe('a layout that was kept', () => {
  const kept = addPane(addPane(addPane(plainLayout, 'a', 'beside'), 'b', 'tab'), 'c', 'below')

  test('is as it was while its shells are there', () => {
    expect(fitLayout(kept, ['a', 'b', 'c'])).toEqual(kept)
  })

  test('loses those that are gone and gets those that are new', () => {
    const fitted = fitLayout(kept, ['a', 'c', 'd'])
    expect(columns(fitted)).toEqual([[[own], ['a']], [['c']], [['d']]])
    expect(activePane(fitted)).toBe('c')
  })

  test('shows the own terminal when the tab in sight is gone', () => {
    expect(shownTab(fitLayout(kept, ['a'])).columns).toEqual([[own], ['a']])
  })

  test('has each pane once, whatever it says', () => {
    const twice: ShellLayout = { tabs: [{ columns: [['a', 'a'], ['a']], active: 'x' }, { columns: [['a']], active: 'a' }], shown: 9 }
    expect(fitLayout(twice, ['a'])).toEqual({ tabs: [{ columns: [[own]], active: own }, { columns: [['a']], active: 'a' }], shown: 0 })
  })
})

test('whatever is done, each pane has one place, the keys are in sight, and the window may keep it', () => {
  const step = fc.oneof(
    fc.record({ add: fc.constantFrom<ShellPlace>('tab', 'beside', 'below') }),
    fc.record({ remove: fc.nat(20) }),
    fc.record({ activate: fc.nat(20) }),
    fc.record({ rename: fc.nat(20) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let layout = plainLayout
      let made = 0
      const panes = () => layout.tabs.flatMap(panesOf)
      const at = (index: number) => panes()[index % panes().length]!
      for (const one of steps) {
        const before = panes()
        if ('add' in one) {
          if (before.length > 16) continue
          layout = addPane(layout, `pane ${++made}`, one.add)
          expect(panes().toSorted()).toEqual([...before, `pane ${made}`].toSorted())
        } else if ('remove' in one) {
          const gone = at(one.remove)
          layout = removePane(layout, gone)
          expect(panes()).toEqual(before.filter((pane) => pane === own || pane !== gone))
        } else if ('activate' in one) {
          const wanted = at(one.activate)
          layout = activatePane(layout, wanted)
          expect(activePane(layout)).toBe(wanted)
        } else if (at(one.rename) !== own) {
          const from = at(one.rename)
          layout = renamePane(layout, from, `pane ${++made}`)
          expect(panes()).toEqual(before.map((pane) => (pane === from ? `pane ${made}` : pane)))
        }
        expect(panesOf(shownTab(layout))).toContain(activePane(layout))
        expect(shellLayoutSchema.safeParse(layout).success).toBe(true)
        expect(fitLayout(layout, panes().filter((pane) => pane !== own))).toEqual(layout)
      }
    }),
  )
})

test('the panes of a tab fill its grid without a gap', () => {
  const tab = { columns: [['a'], ['b', 'c'], ['d', 'e', 'f']], active: 'a' }
  expect(tab.columns).toHaveLength(maxBeside)
  expect([...'abcdef'].map((pane) => placeOf(tab, pane))).toEqual([
    { column: 1, row: 1, rows: 6 },
    { column: 2, row: 1, rows: 3 },
    { column: 2, row: 4, rows: 3 },
    { column: 3, row: 1, rows: 2 },
    { column: 3, row: 3, rows: 2 },
    { column: 3, row: 5, rows: 2 },
  ])
  expect(placeOf(tab, 'x')).toBeUndefined()
})
