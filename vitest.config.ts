import { defineConfig } from 'vitest/config'

// Files that drive the real window; they share its display and clipboard, hence a suite of their own beside `e2e`.
const windowFiles = 'e2e/window*.e2e.ts'

const endToEnd = {
  globalSetup: ['scripts/electron/test-setup.mjs'],
  testTimeout: 180_000,
  hookTimeout: 900_000,
  fileParallelism: false,
  // Two suites share the machine. What needs the second try is named in the summary: it is a fault, of a test or of Paddock.
  retry: 1,
}

// Unit runs anywhere; integration, e2e and window need the real Podman and say so when it is missing.
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
          // For a machine that is busy with something else; alone, no test takes half of it.
          testTimeout: 20_000,
          include: ['{electron,shared,renderer,scripts}/**/*.test.{ts,mjs}'],
          exclude: ['**/*.integration.test.ts', '**/*.mocked.test.ts', '**/node_modules/**'],
        },
      },
      // A module that stands in for another one must not be met by other files, nor another one's by these.
      { test: { name: 'unit-mocked', include: ['{electron,shared,renderer,scripts}/**/*.mocked.test.{ts,mjs}'], exclude: ['**/node_modules/**'], maxWorkers: 4, testTimeout: 20_000 } },
      {
        test: {
          name: 'integration',
          include: ['{electron,shared,profiles}/**/*.integration.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 900_000,
          fileParallelism: false,
        },
      },
      { test: { name: 'e2e', include: ['e2e/**/*.e2e.ts'], exclude: [windowFiles], ...endToEnd } },
      { test: { name: 'window', include: [windowFiles], ...endToEnd } },
    ],
  },
})
