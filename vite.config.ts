import { defineConfig } from 'vite'

/** Bundles the command into one file that plain Node runs: `dist/paddock.mjs`. */
export default defineConfig({
  build: {
    ssr: 'electron/cli/main.ts',
    outDir: 'dist',
    target: 'node20',
    minify: false,
    rollupOptions: { output: { entryFileNames: 'paddock.mjs', chunkFileNames: 'chunks/[name]-[hash].mjs' } },
  },
  ssr: { noExternal: true },
})
