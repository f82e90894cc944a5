import { defineConfig } from 'vite'

/** Bundles the command, the app's main process and the benchmark for plain Node. What a launch does not need lies in chunks, loaded when asked for. */
export default defineConfig({
  build: {
    ssr: true,
    outDir: 'dist',
    target: 'node20',
    minify: true,
    rollupOptions: {
      input: { paddock: 'electron/cli/main.ts', main: 'electron/main.ts', bench: 'e2e/bench/main.ts' },
      output: { entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' },
      external: ['electron', 'node-pty', 'dockerode'],
    },
  },
  ssr: { noExternal: true, external: ['electron', 'node-pty', 'dockerode'] },
  // Bundled CommonJS modules ask for it.
  define: { __filename: 'import.meta.filename' },
})
