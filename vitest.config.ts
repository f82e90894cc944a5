import { defineConfig } from 'vitest/config'

// Three suites: unit runs anywhere, integration and e2e need the real Podman and say so when it is missing.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          // The tests share no state; a process for each file would take twice as long.
          isolate: false,
          // Most of the time goes into waiting for small programs, so more files at once than there are CPUs.
          maxWorkers: 4,
          include: ['{electron,shared,renderer,scripts}/**/*.test.{ts,mjs}'],
          exclude: ['**/*.integration.test.ts', '**/node_modules/**'],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['{electron,shared,profiles}/**/*.integration.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 900_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.ts'],
          globalSetup: ['scripts/electron/test-setup.mjs'],
          testTimeout: 120_000,
          hookTimeout: 900_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
