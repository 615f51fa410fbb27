/** SQLite with an index per question, and FTS5 for words. */
import { DatabaseSync } from 'node:sqlite'
import { readEntities } from '../search/corpus.ts'
import type { Engine } from './columns.ts'
import { band, COUNTRIES, PAGE } from './questions.ts'

const NAMES = ['code', 'place', 'country', 'state', 'stateCode', 'lat', 'lon'] as const

/** Loads a file into a table. As in our engine, each question counts the matches and reads a page. */
export async function openSqlite(path: string, file: URL): Promise<Engine> {
  const db = new DatabaseSync(path)
  db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -65536;
    CREATE TABLE e (n INTEGER PRIMARY KEY, id TEXT, title TEXT, ${NAMES.join(', ')}, json TEXT);
    CREATE VIRTUAL TABLE words USING fts5 (title, content = '', tokenize = 'unicode61 remove_diacritics 2')`)
  const insert = db.prepare(`INSERT INTO e VALUES (?, ?, ?, ${NAMES.map(() => '?').join(', ')}, ?)`)
  const words = db.prepare('INSERT INTO words (rowid, title) VALUES (?, ?)')
  db.exec('BEGIN')
  let at = 0
  for await (const entity of readEntities(file)) {
    const { id, title = '', attributes } = entity
    const values = NAMES.map((name) => (attributes[name] ?? null) as string | number | null)
    at += 1
    insert.run(at, id, title, ...values, JSON.stringify(entity))
    words.run(
      at,
      [title, ...NAMES.map((name) => attributes[name]).filter((value) => typeof value === 'string')].join(
        ' ',
      ),
    )
  }
  db.exec(`COMMIT; CREATE INDEX by_code ON e (code, id); CREATE INDEX by_lat ON e (lat, id);
    CREATE INDEX by_country ON e (country, lat, lon, id); CREATE INDEX by_state ON e (stateCode);
    CREATE INDEX by_lat_state ON e (lat, stateCode); ANALYZE`)
  const asked = (where: string, order = 'id') => {
    const count = db.prepare(`SELECT count(*) AS n FROM e WHERE ${where}`)
    const page = db.prepare(`SELECT json FROM e WHERE ${where} ORDER BY ${order} LIMIT ${PAGE}`)
    return (...values: (string | number)[]) => [count.get(...values), page.all(...values)]
  }
  const country = (round: number) => COUNTRIES[round % COUNTRIES.length] as string
  const [code, between, more, inCountry] = [
    asked('code = ?'),
    asked('lat BETWEEN ? AND ?'),
    asked('lat > ?'),
    asked('country = ?'),
  ]
  const three = asked('country = ? AND lat BETWEEN ? AND ? AND lon > 2', 'lat DESC, id')
  const all = asked('1', 'lat DESC, id')
  const deep = asked('1', `lat DESC, id LIMIT ${PAGE} OFFSET 199980 --`)
  const inWords = (where: string) => {
    const from = `FROM words JOIN e ON e.n = words.rowid WHERE words MATCH 'saint' AND ${where}`
    const count = db.prepare(`SELECT count(*) AS n ${from}`)
    const page = db.prepare(`SELECT json ${from} ORDER BY words.rank LIMIT ${PAGE}`)
    return (...values: (string | number)[]) => [count.get(...values), page.all(...values)]
  }
  const [textThree, textCountry] = [
    inWords('country = ? AND lat BETWEEN ? AND ? AND lon > 2'),
    inWords('country = ?'),
  ]
  const facet = (where: string) =>
    db.prepare(
      `SELECT stateCode, count(*) AS n FROM e WHERE ${where} GROUP BY stateCode ORDER BY n DESC, stateCode LIMIT 1000`,
    )
  const [facetAll, facetSome] = [facet('1'), facet('lat BETWEEN ? AND ?')]
  return {
    'one value of many': (round) => code(String(10_000 + round * 7)),
    'a hundredth by a number': (round) => between(...band(round)),
    'half by a number': (round) => more(40 + (round % 10)),
    'one country': (round) => inCountry(country(round)),
    'three conditions and a sort': (round) => three(country(round), ...band(round)),
    'sorted, first page': () => all(),
    'sorted, page 10,000': () => deep(),
    'text and three conditions': (round) => textThree(country(round), ...band(round)),
    'text and a country': (round) => textCountry(country(round)),
    'facet of all': () => facetAll.all(),
    'facet of a hundredth': (round) => facetSome.all(...band(round)),
  }
}
