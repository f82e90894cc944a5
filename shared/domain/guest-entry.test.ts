import { expect, it } from 'vitest'
import { crumbsOf, type GuestEntry, isHidden, isNameable, joinPath, orderEntries, parentPath } from './guest-entry.ts'

const entry = (name: string, type: GuestEntry['type'] = 'file'): GuestEntry => ({ name, type, sizeBytes: 0, modifiedAt: '' })

it('lists folders first, and numbers by their value', () => {
  const listed = orderEntries([entry('b10'), entry('B2'), entry('z', 'folder'), entry('a', 'link'), entry('.git', 'folder')])
  expect(listed.map(({ name }) => name)).toEqual(['.git', 'z', 'a', 'B2', 'b10'])
})

it('has an order for names that are the same to a reader', () => {
  expect(orderEntries([entry('a'), entry('A')])).toEqual(orderEntries([entry('A'), entry('a')]))
})

it.each([
  ['.', 'src', 'src', '.'],
  ['src', 'a b', 'src/a b', 'src'],
  ['src/deep', '.env', 'src/deep/.env', 'src/deep'],
])('in %s, %s is %s', (folder, name, path, parent) => {
  expect(joinPath(folder, name)).toBe(path)
  expect(parentPath(path)).toBe(parent)
})

it('shows the last steps of a long way, and where the others lead', () => {
  expect(crumbsOf('.', 3)).toEqual({ skipped: null, crumbs: [] })
  expect(crumbsOf('a/b', 3)).toEqual({ skipped: null, crumbs: [{ name: 'a', path: 'a' }, { name: 'b', path: 'a/b' }] })
  expect(crumbsOf('a/b/c/d', 2)).toEqual({ skipped: 'a/b', crumbs: [{ name: 'c', path: 'a/b/c' }, { name: 'd', path: 'a/b/c/d' }] })
})

it('knows what is hidden, and what cannot be asked for', () => {
  expect([entry('.env'), entry('env')].map(isHidden)).toEqual([true, false])
  expect([entry('ü'), entry('\ufffd')].map(isNameable)).toEqual([true, false])
})
