import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { findNft } from './find-nft.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nft-test-'))
  for (const folder of ['own', 'system']) mkdirSync(join(root, folder))
})
afterEach(() => rmSync(root, { recursive: true }))

const put = (folder: string, mode = 0o755) => writeFileSync(join(root, folder, 'nft'), '#!/bin/sh\n', { mode })
const find = () => findNft(['podman', join(root, 'own/podman')], [join(root, 'absent/nft'), join(root, 'system/nft')])

it('is null where there is none', async () => {
  expect(find()).toBeNull()
})

it('is the one beside Podman before the system’s', async () => {
  put('system')
  expect(find()).toBe(join(root, 'system/nft'))
  put('own')
  expect(find()).toBe(join(root, 'own/nft'))
})

it('can be executed', async () => {
  put('own', 0o644)
  expect(find()).toBeNull()
})
