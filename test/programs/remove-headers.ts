/**
 * Removes the headers for compiling add-ons from the npm package of Node.js: 67 MB, and nothing here compiles any. Runs
 * with every `npm ci`.
 */
import { globSync, rmSync } from 'node:fs'

for (const folder of globSync('node_modules/node/node_modules/*/include')) rmSync(folder, { recursive: true })
