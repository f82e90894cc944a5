import { defineConfig } from 'vite'

/** Bundles the window's page; with `--mode scenes` the page that shows it in made-up states, for pictures and checks. */
export default defineConfig(({ mode }) => ({
  root: 'renderer',
  base: './',
  build: {
    outDir: mode === 'scenes' ? '../dist/scenes' : '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome130',
    ...(mode === 'scenes' ? { rollupOptions: { input: 'renderer/dev/dev.html' } } : {}),
  },
}))
