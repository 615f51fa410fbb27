/**
 * `npm run bench`: what a world costs over HTTP, as ratios within one run. `--quick` only shows that everything runs.
 * Prints a table in Markdown; `--json FILE` keeps the figures.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { growth, startAndMemory } from './http/growth.ts'
import { mixedLoad } from './http/mixed.ts'
import { againstPeers, type Line, perRequest } from './http/per-request.ts'
import { tableOf } from './http/table.ts'

const { values } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'string' }, only: { type: 'string' } },
})
const effort = values.quick ? { rounds: 1, seconds: 0.3 } : { rounds: 7, seconds: 3 }

const parts: Readonly<Record<string, () => Promise<Line[]>>> = {
  'per-request': () => perRequest(effort),
  peers: () => againstPeers(effort),
  growth: () => growth(effort, values.quick === true),
  start: () => startAndMemory(values.quick === true),
  mixed: () => mixedLoad(effort),
}
const lines: Line[] = []
for (const [name, run] of Object.entries(parts)) {
  if (values.only !== undefined && values.only !== name) continue
  lines.push(...(await run()))
}
process.stdout.write(tableOf(lines))
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(lines, null, 2)}\n`)
