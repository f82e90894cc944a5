import { expect, it } from 'vitest'
import { trustedFolders } from './find-program.mjs'

it('looks for no program in the folders that npm puts in front, nor in relative ones', () => {
  const path = ['/tmp/checkout/node_modules/.bin', '/tmp/node_modules/.bin', '/node_modules/.bin', '', '.', 'bin', '/usr/local/bin', '/usr/bin'].join(':')
  expect(trustedFolders(path)).toEqual(['/usr/local/bin', '/usr/bin'])
})
