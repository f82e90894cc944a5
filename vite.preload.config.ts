import { defineConfig } from 'vite'

/** A sandboxed preload script may load nothing: it is one CommonJS file. */
export default defineConfig({
  build: {
    lib: { entry: 'electron/preload/preload.ts', formats: ['cjs'], fileName: () => 'preload.cjs' },
    outDir: 'dist',
    emptyOutDir: false,
    target: 'chrome130',
    minify: false,
    rollupOptions: { external: ['electron'] },
  },
})
