/**
 * Compares structured queries with SQLite and DuckDB over the same entities: `node --conditions=@worldwright/source
 * bench/query.ts [FILE [WORD]]`. FILE is gzipped NDJSON of one type with `country`, `state`, `place`, `lat` and `lon`. With
 * WORD, only questions whose names contain it are asked. Groups are asked of our engine alone. Needs `npm ci
 * --prefix bench`. Each engine answers every question in the same process: it counts the matches and reads a page of
 * whole entities.
 */
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildColumns, type Engine, openColumns } from './query/columns.ts'
import { openDuckDb } from './query/duckdb.ts'
import { buildEntities } from './query/entities.ts'
import { questions } from './query/questions.ts'
import { openSqlite } from './query/sqlite.ts'

const DATA = resolve(import.meta.dirname, '../../shared/data/entities/large.ndjson.gz')
const file = pathToFileURL(resolve(process.argv[2] ?? DATA))
const ROUNDS = 150
/** Warm-up rounds, so that the comparison is between servers that are already running. */
const WARM = 50
const folder = mkdtempSync(join(tmpdir(), 'bench-query-'))

/** Returns the median and the 99th percentile of the times, in milliseconds. */
function spread(times: readonly number[]): { p50: number; p99: number } {
  const sorted = [...times].sort((left, right) => left - right)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return { p50: at(0.5), p99: at(0.99) }
}

async function timed(engine: Engine, name: string, round: number): Promise<number> {
  const ask = engine[name]
  if (!ask) return Number.NaN
  const began = performance.now()
  await ask(round)
  return performance.now() - began
}

try {
  const plain = await buildColumns(join(folder, 'plain.db'), file, false)
  const columns = await buildColumns(join(folder, 'columns.db'), file, true)
  const size = (name: string) => statSync(join(folder, name)).size / 1e6
  await buildEntities(join(folder, 'entities.db'), file)
  const [withValues = 0, without = 0, entities = 0] = ['columns.db', 'plain.db', 'entities.db'].map(size)
  const more = (100 * (withValues - without)) / (entities + without)
  process.stdout.write(
    `${columns.entities} entities: indexed in ${columns.seconds.toFixed(1)} s of processor time with values, ${plain.seconds.toFixed(1)} without; values take ${(withValues - without).toFixed(0)} MB, ${more.toFixed(0)} % of ${without.toFixed(0)} MB of index and ${entities.toFixed(0)} MB of entities\n\n`,
  )
  const engines = [
    openColumns(join(folder, 'columns.db'), join(folder, 'entities.db')),
    await openSqlite(join(folder, 'sqlite.db'), file),
    await openDuckDb(file, folder),
  ]
  process.stdout.write(
    '| p50 / p99 ms | ours | SQLite | DuckDB | SQLite / ours | DuckDB / ours |\n|---|---|---|---|---|---|\n',
  )
  for (const name of questions.filter((name) => name.includes(process.argv[3] ?? ''))) {
    const times: number[][] = engines.map(() => [])
    for (let round = -WARM; round < ROUNDS; round++) {
      // Rotate the order: the engine that follows DuckDB's threads finds cold processor caches.
      for (const step of engines.keys()) {
        const at = (Math.abs(round) + step) % engines.length
        const time = await timed(engines[at] as Engine, name, Math.abs(round))
        if (round >= 0) times[at]?.push(time)
      }
    }
    const [ours, ...others] = times.map(spread)
    const shown = [ours, ...others].map((each) =>
      each && each.p50 >= 0 ? `${each.p50.toFixed(2)} / ${each.p99.toFixed(2)}` : '–',
    )
    const ratios = others.map((each) => (each.p50 >= 0 ? (each.p50 / (ours?.p50 ?? 1)).toFixed(2) : '–'))
    process.stdout.write(`| ${name} | ${[...shown, ...ratios].join(' | ')} |\n`)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
