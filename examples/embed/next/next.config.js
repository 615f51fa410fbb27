import { resolve } from 'node:path'

export default {
  distDir: 'dist',
  skipTrailingSlashRedirect: true,
  turbopack: { root: resolve(import.meta.dirname, '../../..') },
}
