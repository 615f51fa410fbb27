/** DuckDB over a table of the same file. It has no comparable text ranking. */
import { fileURLToPath } from 'node:url'
import type { Engine } from './columns.ts'
import { band, COUNTRIES, PAGE } from './questions.ts'

/** Types for the parts of `@duckdb/node-api` that are used. The package is installed only in `bench`. */
interface DuckDb {
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection> }> }
}

interface Connection {
  run(sql: string): Promise<unknown>
  prepare(sql: string): Promise<Prepared>
}

interface Prepared {
  bind(values: readonly (string | number)[]): void
  runAndReadAll(): Promise<{ getRows(): unknown[] }>
}

/** Loads a file into a table. Answers no questions if DuckDB is not installed. */
export async function openDuckDb(file: URL, folder: string): Promise<Engine> {
  const name = '@duckdb/node-api'
  const duckdb = (await import(name).catch(() => undefined)) as DuckDb | undefined
  if (!duckdb) {
    process.stdout.write('DuckDB is not installed: `npm ci --prefix bench` brings it.\n')
    return {}
  }
  const db = await (await duckdb.DuckDBInstance.create(`${folder}/duck.db`)).connect()
  await db.run(
    `CREATE TABLE e AS SELECT * FROM read_json_auto('${fileURLToPath(file)}', format = 'newline_delimited', sample_size = -1) ORDER BY id`,
  )
  const asked = async (sql: string) => {
    const prepared = await db.prepare(sql)
    return async (...values: (string | number)[]) => {
      prepared.bind(values)
      return (await prepared.runAndReadAll()).getRows()
    }
  }
  const found = async (where: string, order = 'id') => {
    const count = await asked(`SELECT count(*) FROM e WHERE ${where}`)
    const page = await asked(`SELECT * FROM e WHERE ${where} ORDER BY ${order} LIMIT ${PAGE}`)
    return async (...values: (string | number)[]) => [await count(...values), await page(...values)]
  }
  const country = (round: number) => COUNTRIES[round % COUNTRIES.length] as string
  const facet = (where: string) =>
    asked(
      `SELECT stateCode, count(*) AS n FROM e WHERE ${where} GROUP BY stateCode ORDER BY n DESC, stateCode LIMIT 1000`,
    )
  const [code, between, more, inCountry] = await Promise.all(
    ['code = ?', 'lat BETWEEN ? AND ?', 'lat > ?', 'country = ?'].map((where) => found(where)),
  )
  const three = await found('country = ? AND lat BETWEEN ? AND ? AND lon > 2', 'lat DESC, id')
  const all = await found('true', 'lat DESC, id')
  const deep = await asked(`SELECT * FROM e ORDER BY lat DESC, id LIMIT ${PAGE} OFFSET 199980`)
  const [facetAll, facetSome] = [await facet('true'), await facet('lat BETWEEN ? AND ?')]
  return {
    'one value of many': (round) => code?.(String(10_000 + round * 7)),
    'a hundredth by a number': (round) => between?.(...band(round)),
    'half by a number': (round) => more?.(40 + (round % 10)),
    'one country': (round) => inCountry?.(country(round)),
    'three conditions and a sort': (round) => three(country(round), ...band(round)),
    'sorted, first page': () => all(),
    'sorted, page 10,000': () => deep(),
    'facet of all': () => facetAll(),
    'facet of a hundredth': (round) => facetSome(...band(round)),
  }
}
