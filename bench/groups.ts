/**
 * Compares groups and measures of a world with DuckDB and SQLite over the same 1.2 million entities: `node
 * --conditions=@worldwright/source bench/groups.ts [FILE]`. FILE is as for `bench/query.ts`. The world is `world serve` with
 * its defaults, over a socket; both databases run in this process.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JsonObject } from '@worldwright/client/protocol'
import { quantile } from '../chaos/quantile.ts'
import { serveWorld } from '../chaos/served-world.ts'
import { groupedStore } from './query/grouped-entities.ts'
import { GROUP_SQL, type GroupQuestion, openPeers } from './query/grouped-peers.ts'

const DATA = resolve(import.meta.dirname, '../../shared/data/entities/large.ndjson.gz')
const file = pathToFileURL(resolve(process.argv[2] ?? DATA))
const ROUNDS = 60
const WARM = 10

/** Inputs of `worldwright:query`, each with the bar of its median in milliseconds. */
const ASKED: Readonly<Record<GroupQuestion, { readonly input: JsonObject; readonly bar: number }>> = {
  'a thousand groups, two measures': {
    input: {
      group: ['shelf'],
      measures: [
        { op: 'avg', property: 'rating' },
        { op: 'sum', property: 'pages' },
      ],
    },
    bar: 80,
  },
  'two keys': { input: { group: ['country', 'year'] }, bar: 200 },
  'decades of a tenth': {
    input: {
      where: { op: '<', args: [{ property: 'pages' }, 101] },
      group: [{ property: 'year', width: 10 }],
    },
    bar: 40,
  },
}

const store = await groupedStore(file)
const folder = mkdtempSync(join(tmpdir(), 'bench-groups-'))
const world = await serveWorld(store)
try {
  const { sqlite, duckDb } = await openPeers(file, folder)
  const ours = async (question: GroupQuestion) => {
    const response = await fetch(`${world.url}/api/world/v0/actions/worldwright%3Aquery`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input: { ...ASKED[question].input, limit: 0 } }),
    })
    const text = await response.text()
    if (response.status !== 200 || text.includes('"partial":true')) throw new Error(text.slice(0, 500))
    return JSON.parse(text)
  }
  const engines = [ours, sqlite, duckDb]
  process.stdout.write(
    `load ${loadavg()
      .map((load) => load.toFixed(1))
      .join(', ')} before the measurement\n\n`,
  )
  process.stdout.write('| p50 / p99 ms | bar | ours | SQLite | DuckDB |\n|---|---|---|---|---|\n')
  for (const question of Object.keys(GROUP_SQL) as GroupQuestion[]) {
    const times: number[][] = engines.map(() => [])
    for (let round = -WARM; round < ROUNDS; round++)
      for (const step of engines.keys()) {
        // Rotate the order, since the engine that follows DuckDB's threads finds cold processor caches.
        const at = (Math.abs(round) + step) % engines.length
        const began = performance.now()
        await engines[at]?.(question)
        if (round >= 0) times[at]?.push(performance.now() - began)
      }
    const cells = times.map((all) => `${quantile(all, 0.5).toFixed(1)} / ${quantile(all, 0.99).toFixed(1)}`)
    process.stdout.write(`| ${question} | ≤ ${ASKED[question].bar} | ${cells.join(' | ')} |\n`)
  }
} finally {
  await world.stop()
  rmSync(folder, { recursive: true, force: true })
}
