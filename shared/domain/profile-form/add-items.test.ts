import { expect, it } from 'vitest'
import { addItems } from './assign-field.ts'

it('blanks and commas part packages, and another version takes the place of the one that is there', () => {
  expect(addItems('npm', ['typescript@5.9.2', 'pnpm@10.2.0'], ' typescript@5.9.3  vite@8.0.0,tsx@4.20.0 ')).toEqual(['typescript@5.9.3', 'pnpm@10.2.0', 'vite@8.0.0', 'tsx@4.20.0'])
})

it('a port is opened on this machine only, unless an address is given', () => {
  expect(addItems('ports', [], '3000 0.0.0.0:80:80')).toEqual(['127.0.0.1:3000:3000', '0.0.0.0:80:80'])
})

it('a mount is read-only, unless it says otherwise', () => {
  expect(addItems('mounts', [], '~/my data:/mnt/data')).toEqual([{ source: '$HOME/my data', target: '/mnt/data', readOnly: true }])
  expect(addItems('mounts', [], '/a:/b:rw')).toEqual([{ source: '/a', target: '/b', readOnly: false }])
  expect(addItems('mounts', [], 'nothing')).toBeInstanceOf(Error)
})

it('a value keeps its blanks and commas', () => {
  expect(addItems('environment', [{ name: 'A', value: 'x' }], 'A=b, c')).toEqual([{ name: 'A', value: 'b, c' }])
  expect(addItems('flags', [], '--shm-size 1g')).toEqual(['--shm-size 1g'])
})
