/** Build configuration: relative addresses, so that the same files serve from any path of any file server. */
import { defineConfig } from 'vite'
import { outline } from './build/outline.ts'

export default defineConfig({
  base: './',
  plugins: [outline()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  resolve: { conditions: ['@worldwright/source', 'module', 'browser', 'production', 'import', 'default'] },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    assetsDir: '_explorer',
    // Nothing may become a data: address: the policy of the page allows only files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // In one file, what most views share compresses best. With 8 or 18 the first load has another 1.5 kB.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'shared', minShareCount: 12 }] } } },
    reportCompressedSize: false,
  },
})
