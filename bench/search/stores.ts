/** Builds the same documents into the engine's segments and into FTS5, each in a new SQLite file, and measures the cost. */
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { SearchDocument } from '../../packages/search/src/port/document.ts'
import { IndexWriter } from '../../packages/search/src/write/index-writer.ts'
import {
  clearIndex,
  SEGMENT_CHECKSUM,
  SEGMENT_SCHEMA,
  segmentStore,
} from '../../packages/sqlite/src/segments.ts'

/** Builds the engine's index. Returns documents per second, and the size of the index in bytes. */
export function buildSegments(
  file: string,
  documents: readonly SearchDocument[],
): { rate: number; bytes: number } {
  const db = open(file)
  db.exec(SEGMENT_SCHEMA + SEGMENT_CHECKSUM)
  clearIndex(db)
  const store = segmentStore(db)
  const began = process.cpuUsage()
  db.exec('BEGIN')
  new IndexWriter(store).build(documents)
  db.exec('COMMIT')
  const rate = documents.length / secondsSince(began)
  db.exec('BEGIN')
  while (store.sweep(1_000)) {}
  db.exec('COMMIT')
  const sums = [
    'SELECT sum(length(bytes)) AS n FROM search_rows',
    'SELECT sum(length(head)) AS n FROM search_segments',
  ]
  const bytes = sums.reduce((sum, sql) => sum + Number(db.prepare(sql).get()?.['n']), 0)
  db.close()
  return { rate, bytes }
}

/** Builds an FTS5 index that maps rows to entities. Returns documents per second. */
export function buildFts(file: string, documents: readonly SearchDocument[]): { rate: number } {
  const db = open(file)
  db.exec(
    `CREATE VIRTUAL TABLE fts USING fts5 (title, aliases, summary, body, tokenize = "unicode61 remove_diacritics 2")`,
  )
  // FTS5 identifies rows only by number, so mapping them to entities needs a table, as in the engine's segments.
  db.exec('CREATE TABLE documents (document INTEGER PRIMARY KEY, type TEXT, id TEXT, UNIQUE (type, id))')
  const key = db.prepare('INSERT INTO documents (document, type, id) VALUES (?, ?, ?)')
  const insert = db.prepare('INSERT INTO fts (rowid, title, aliases, summary, body) VALUES (?, ?, ?, ?, ?)')
  const began = process.cpuUsage()
  db.exec('BEGIN')
  for (const [at, { type, id, title, aliases, summary, text }] of documents.entries()) {
    key.run(at + 1, type, id)
    insert.run(at + 1, title, aliases.join('\n'), summary, text)
  }
  db.exec('COMMIT')
  const rate = documents.length / secondsSince(began)
  db.close()
  return { rate }
}

/** Returns the processor time of this process since `began`, in seconds, excluding other processes. */
function secondsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1e6
}

function open(file: string): DatabaseSync {
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
  const db = new DatabaseSync(file)
  db.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
  return db
}
