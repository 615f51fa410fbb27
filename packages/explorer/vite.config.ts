/**
 * Build configuration: relative addresses, so that the same files serve from any path of any file server. `--mode component`
 * builds the web component beside the page, as a file of a fixed name with parts that it loads when they are needed.
 */
import { defineConfig } from 'vite'
import { outline } from './build/outline.ts'

export default defineConfig(({ mode }) => ({
  base: './',
  plugins: [outline()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { conditions: ['@worldwright/source', 'module', 'browser', 'production', 'import', 'default'] },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    emptyOutDir: mode !== 'component',
    assetsDir: '_explorer',
    // Nothing may become a data: address: the policy of the page allows only files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One request for what is always loaded together, which also compresses best in one file.
    rolldownOptions:
      mode === 'component'
        ? {
            input: { 'world-view': 'src/component/world-view.ts' },
            output: { entryFileNames: '[name].js' },
          }
        : { output: { codeSplitting: { groups: [{ name: 'main', test: /explorer\/src\/main\.tsx$/ }] } } },
    reportCompressedSize: false,
  },
}))
