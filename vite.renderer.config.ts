import { defineConfig } from 'vite'
import { icons } from './build/icons.mjs'

/** Bundles the window's page and that of a desktop's own window; with `--mode scenes` the page that shows it in made-up states, for pictures and checks. */
export default defineConfig(({ mode }) => ({
  root: 'renderer',
  base: './',
  plugins: mode === 'scenes' ? [] : [icons()],
  build: {
    outDir: mode === 'scenes' ? '../dist/scenes' : '../dist/renderer',
    emptyOutDir: true,
    target: 'chrome130',
    // xterm.js with its WebGL renderer is one piece; it lies in a chunk of its own.
    chunkSizeWarningLimit: 600,
    rollupOptions: {
      input: mode === 'scenes' ? 'renderer/dev/dev.html' : ['renderer/index.html', 'renderer/desktop.html'],
      // What a page begins with comes in one piece: in forty small ones it is painted a sixth later. That of the scenes waits for its late parts.
      output: mode === 'scenes' ? {} : { codeSplitting: { groups: [{ name: 'start', tags: ['$initial'], test: /^(?!.*\/renderer\/[^/]+\.(tsx|html))/ }] } },
      onwarn(warning, warn) {
        // Libraries mark what React may not run on a server; there is none here.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning)
      },
    },
  },
}))
