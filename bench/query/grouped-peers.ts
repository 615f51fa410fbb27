/** DuckDB and SQLite over the same entities, for grouped queries. */
import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import { groupedEntities } from './grouped-entities.ts'

/** SQL of the queries. Each returns at most a hundred groups. */
export const GROUP_SQL = {
  'a thousand groups, two measures':
    'SELECT shelf, count(*) AS n, avg(rating), sum(pages) FROM e GROUP BY shelf ORDER BY n DESC, shelf LIMIT 100',
  'two keys':
    'SELECT country, year, count(*) AS n FROM e GROUP BY country, year ORDER BY n DESC, country, year LIMIT 100',
  'decades of a tenth':
    'SELECT floor(year / 10.0) * 10 AS decade, count(*) AS n FROM e WHERE pages < 101 GROUP BY decade ORDER BY n DESC, decade LIMIT 100',
} as const

/** Name of a grouped query of the benchmark. */
export type GroupQuestion = keyof typeof GROUP_SQL

/** Runs a query in a database. */
export type AskPeer = (question: GroupQuestion) => unknown

/** Opens both databases in a folder. SQLite has a covering index for each query. */
export async function openPeers(file: URL, folder: string): Promise<{ sqlite: AskPeer; duckDb: AskPeer }> {
  const db = new DatabaseSync(`${folder}/sqlite.db`)
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144;
    CREATE TABLE e (id TEXT, country TEXT, shelf TEXT, year REAL, rating REAL, pages REAL); BEGIN`)
  const insert = db.prepare('INSERT INTO e VALUES (?, ?, ?, ?, ?, ?)')
  const duck = await (await DuckDBInstance.create(`${folder}/duck.db`)).connect()
  await duck.run(
    'CREATE TABLE e (id VARCHAR, country VARCHAR, shelf VARCHAR, year DOUBLE, rating DOUBLE, pages DOUBLE)',
  )
  const appender = await duck.createAppender('e')
  for await (const { id, attributes } of groupedEntities(file)) {
    const { country, shelf, year, rating, pages } = attributes
    insert.run(id, country, shelf, year, rating, pages)
    for (const text of [id, country, shelf]) appender.appendVarchar(text)
    for (const number of [year, rating, pages]) appender.appendDouble(number)
    appender.endRow()
  }
  appender.closeSync()
  db.exec(`COMMIT; CREATE INDEX by_shelf ON e (shelf, rating, pages); CREATE INDEX by_country ON e (country, year);
    CREATE INDEX by_pages ON e (pages, year); ANALYZE`)
  const prepared = new Map(Object.entries(GROUP_SQL).map(([name, sql]) => [name, db.prepare(sql)]))
  return {
    sqlite: (question) => prepared.get(question)?.all(),
    duckDb: async (question) => (await duck.runAndReadAll(GROUP_SQL[question])).getRows(),
  }
}
