/**
 * Removes the C++ headers from the npm packages of Node.js. They take 122 MB and are needed only to compile add-ons, which
 * nothing here does. Runs on every `npm ci`.
 */
import { globSync, rmSync } from 'node:fs'

for (const folder of globSync('node_modules/node{,-18}/node_modules/*/include'))
  rmSync(folder, { recursive: true })
