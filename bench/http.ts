/**
 * `npm run bench`: measures the cost of a world over HTTP, as ratios within one run. Prints a Markdown table; `--json FILE`
 * saves the figures. `--quick` only checks that everything runs.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { CASE_NAMES, costsOf } from './http/cases.ts'
import { isPinned, leaveServerCore } from './http/cores.ts'
import { handlerAlone } from './http/handler.ts'
import { hotEntities } from './http/hot.ts'
import { memory } from './http/memory.ts'
import { mirror } from './http/mirror.ts'
import { mixedLoad } from './http/mixed.ts'
import { replicas } from './http/replicas.ts'
import { start } from './http/start.ts'
import { streams } from './http/streams.ts'
import { type Line, tableOf } from './http/table.ts'
import { telemetry } from './http/telemetry.ts'
import { workers } from './http/workers.ts'
import { writers } from './http/writers.ts'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    only: { type: 'string' },
    connections: { type: 'string' },
    rounds: { type: 'string' },
  },
})
const { quick, only } = values
// Use many short turns: machine speed drifts within seconds, and a ratio compares adjacent turns.
const effort = { rounds: Number(values.rounds ?? (quick ? 1 : 10)), seconds: quick ? 0.1 : 1 }
const connections = (values.connections ?? (quick ? '32' : '1,32,256,1024')).split(',').map(Number)

const parts: Readonly<Record<string, () => Promise<Line[]>>> = {
  ...Object.fromEntries(CASE_NAMES.map((name) => [name, () => costsOf(name, connections, effort, quick)])),
  hot: () => hotEntities(effort, quick),
  telemetry: () => telemetry(effort),
  handler: () => handlerAlone(effort, quick),
  start: () => start(effort, quick),
  memory: () => memory(effort, quick),
  mixed: () => mixedLoad(effort),
  workers: () => workers(effort, quick),
  writers: () => writers(effort),
  streams: () => streams(effort, quick),
  replicas: () => replicas(effort),
  mirror: () => mirror(quick),
}
if (only !== undefined && !(only in parts)) {
  throw new Error(`There is no part ${only}; there are ${Object.keys(parts).join(', ')}.`)
}
leaveServerCore()
const lines: Line[] = []
try {
  for (const [name, run] of Object.entries(parts)) {
    if (only === undefined || only === name) lines.push(...(await run()))
  }
} finally {
  // Keep the results of earlier parts if a part fails, because they took long to measure.
  if (quick) process.stdout.write('Quick: these figures, and the sizes they name, mean nothing.\n\n')
  if (!isPinned) process.stdout.write('Not pinned: servers and load share their cores.\n\n')
  process.stdout.write(tableOf(quick ? lines.map((line) => ({ ...line, met: undefined })) : lines))
  if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(lines, null, 2)}\n`)
}
