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
    // One request for what is always loaded together, which also compresses best in one file.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: 'main', test: /explorer\/src\/main\.tsx$/ }],
        },
      },
    },
    reportCompressedSize: false,
  },
})
