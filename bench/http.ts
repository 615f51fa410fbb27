/**
 * `npm run bench`: what a world costs over HTTP, as ratios within one run. `--quick` only shows that everything runs.
 * Prints a table in Markdown; `--json FILE` keeps the figures.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { accessLog } from './http/access-log.ts'
import { copies } from './http/copies.ts'
import { growth } from './http/growth.ts'
import { memory } from './http/memory.ts'
import { mirror } from './http/mirror.ts'
import { mixedLoad } from './http/mixed.ts'
import { againstPeers, type Line, perRequest } from './http/per-request.ts'
import { start } from './http/start.ts'
import { streams } from './http/streams.ts'
import { tableOf } from './http/table.ts'
import { workers } from './http/workers.ts'
import { writers } from './http/writers.ts'

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, json: { type: 'string' }, only: { type: 'string' } },
})
const { quick, only } = values
// Many short turns: a machine changes its speed within seconds, and a ratio is of two turns next to each other.
const effort = quick ? { rounds: 1, seconds: 0.1 } : { rounds: 20, seconds: 1 }

const parts: Readonly<Record<string, () => Promise<Line[]>>> = {
  'per-request': () => perRequest(effort),
  peers: () => againstPeers(effort),
  growth: () => growth(effort, quick),
  start: () => start(effort, quick),
  memory: () => memory(effort, quick),
  mixed: () => mixedLoad(effort),
  workers: () => workers(effort),
  'access-log': () => accessLog(effort),
  writers: () => writers(effort),
  streams: () => streams(effort, quick),
  copies: () => copies(effort),
  mirror: () => mirror(quick),
}
if (only !== undefined && !(only in parts)) {
  throw new Error(`There is no part ${only}; there are ${Object.keys(parts).join(', ')}.`)
}
const lines: Line[] = []
try {
  for (const [name, run] of Object.entries(parts)) {
    if (only === undefined || only === name) lines.push(...(await run()))
  }
} finally {
  // What was measured before a part failed took long, and is worth having.
  if (quick) process.stdout.write('Quick: these figures, and the sizes they name, mean nothing.\n\n')
  process.stdout.write(tableOf(lines))
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(lines, null, 2)}\n`)
}
