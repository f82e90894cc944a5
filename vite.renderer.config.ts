import { defineConfig } from 'vite'

/** Bundles the window's page. */
export default defineConfig({
  root: 'renderer',
  base: './',
  build: { outDir: '../dist/renderer', emptyOutDir: true, target: 'chrome130' },
})
