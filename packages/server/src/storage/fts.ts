/**
 * Search by SQLite's FTS5, in whatever database it is given: the SQLite engine's own, or one in memory. The same
 * entities have the same ranking in both, whatever was written before them.
 */
import type { DatabaseSync } from 'node:sqlite'
import type { StoredEntity } from './contract.ts'
import { searchTextOf } from './search-text.ts'

/** The tables of the index. */
export const FULL_TEXT_SCHEMA = `
  CREATE TABLE documents (document INTEGER PRIMARY KEY, type TEXT NOT NULL, id TEXT NOT NULL, UNIQUE (type, id)) STRICT;
  CREATE VIRTUAL TABLE fulltext USING fts5 (title, aliases, summary, body, tokenize = "unicode61 remove_diacritics 2");`

/** Which entities matched. */
export interface Hits {
  /** Those with all words first; then by rank, type and id. At most as many as asked for. */
  readonly keys: readonly { readonly type: string; readonly id: string }[]
  /** All matches, within the types asked for. */
  readonly total: number
  /** Matches per type, without zeros, ascending by type. */
  readonly counts: Readonly<Record<string, number>>
  /** Words of the question that some match holds, in lower case, ascending. */
  readonly matched: readonly string[]
}

/** An index over entities. Changes belong into the transaction that changes the entities. */
export interface FullText {
  /** Indexes an entity, instead of an earlier one of its key. */
  put(entity: StoredEntity): void
  delete(type: string, id: string): void
  /** Entities that hold a word of `text`; none where it has no word. All `types`, where absent. */
  find(text: string, types: readonly string[] | undefined, limit: number): Hits
}

/** What a match is worth by where it is: title, aliases, summary, body. */
const WEIGHTS = '10, 8, 3, 1'

// Letters and digits with their marks. Nothing else of a question reaches FTS5, least of all its operators.
const WORD = /\p{M}*[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

const WITHIN = '(?2 IS NULL OR type IN (SELECT value FROM json_each(?2)))'

const RANKED = `
  WITH hit AS MATERIALIZED (
    SELECT rowid AS document, bm25(fulltext, ${WEIGHTS}) AS score FROM fulltext WHERE fulltext MATCH ?1
  )
  SELECT type, id FROM hit JOIN documents USING (document) WHERE ${WITHIN}
  ORDER BY document NOT IN (SELECT rowid FROM fulltext WHERE fulltext MATCH ?3), score, type, id LIMIT ?4`

const MATCHES = `FROM fulltext JOIN documents ON document = fulltext.rowid WHERE fulltext MATCH ?1 AND ${WITHIN}`

/** Opens the index in a database that has its tables. */
export function openFullText(db: DatabaseSync): FullText {
  const document = db.prepare(
    `INSERT INTO documents (type, id) VALUES (?, ?)
     ON CONFLICT (type, id) DO UPDATE SET type = excluded.type RETURNING document`,
  )
  const index = db.prepare(
    'INSERT OR REPLACE INTO fulltext (rowid, title, aliases, summary, body) VALUES (?, ?, ?, ?, ?)',
  )
  const forget = db.prepare('DELETE FROM documents WHERE type = ? AND id = ? RETURNING document')
  const unindex = db.prepare('DELETE FROM fulltext WHERE rowid = ?')
  const ranked = db.prepare(RANKED)
  const perType = db.prepare(`SELECT type, count(*) AS matches ${MATCHES} GROUP BY type ORDER BY type`)
  const any = db.prepare(`SELECT 1 ${MATCHES} LIMIT 1`)
  return {
    put(entity) {
      const text = searchTextOf(JSON.parse(entity.json))
      const row = document.get(entity.type, entity.id)?.['document'] ?? null
      index.run(row, text.title, text.aliases, text.summary, text.body)
    },
    delete(type, id) {
      const row = forget.get(type, id)?.['document']
      if (row !== undefined) unindex.run(row)
    },
    find(text, types, limit) {
      const words = wordsOf(text)
      const within = types ? JSON.stringify(types) : null
      const phrases = [...words.values()].map((word) => `"${word}"`)
      const either = phrases.join(' OR ')
      const rows = words.size ? perType.all(either, within) : []
      const counts = Object.fromEntries(rows.map((row) => [String(row['type']), Number(row['matches'])]))
      const keys = rows.length && limit ? ranked.all(either, within, phrases.join(' AND '), limit) : []
      return {
        keys: keys.map((row) => ({ type: String(row['type']), id: String(row['id']) })),
        total: Object.values(counts).reduce((sum, count) => sum + count, 0),
        counts,
        matched: rows.length
          ? [...words.keys()].filter((word) => any.get(`"${words.get(word)}"`, within)).sort()
          : [],
      }
    },
  }
}

/** The different words of a text: as written, by their lower case. */
function wordsOf(text: string): Map<string, string> {
  const words = text.match(WORD) ?? []
  return new Map(words.map((word) => [word.toLowerCase(), word]))
}
