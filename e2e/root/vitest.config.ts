import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Tests that need root, apart from the others, which need an ordinary account. */
export default defineConfig({
  test: {
    // Root leaves nothing in the account's copy of the checkout: the account could not remove it.
    cache: false,
    root: fileURLToPath(new URL('.', import.meta.url)),
    include: ['*.root.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
})
