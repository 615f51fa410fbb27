/** The search index's segments in the store's own file, in the same transactions as the entities. */
import type { DatabaseSync } from 'node:sqlite'
import { INDEX_FORMAT, type SegmentFile, type SegmentRecord, type SegmentStore } from '../../search/store.ts'
import { query } from './query.ts'

/** The tables. `head` is absent until a segment is published; `dropped` ones are waste. */
export const SEGMENT_SCHEMA = `
  CREATE TABLE search_segments (
    segment INTEGER PRIMARY KEY AUTOINCREMENT, head BLOB, dropped INTEGER NOT NULL DEFAULT 0, begun REAL NOT NULL
  ) STRICT;
  -- One row: changes with the segments and tombstones; the format they have, 0 where they are to be built.
  CREATE TABLE search_state (generation INTEGER NOT NULL, format INTEGER NOT NULL) STRICT;
  INSERT INTO search_state VALUES (0, 0);
  CREATE TABLE search_rows (place INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT;
  CREATE TABLE search_tombstones (
    segment INTEGER NOT NULL, row INTEGER NOT NULL, bits BLOB NOT NULL, PRIMARY KEY (segment, row)
  ) STRICT, WITHOUT ROWID;`

/** Rows of a file and files of a segment that a row's place has room for. */
const ROWS = 2 ** 24
const FILES = 4
/** Segments that places have room for, as whole numbers of 53 bits. */
const SEGMENTS = 2 ** 27

/** A segment that nobody published within a day was left by a process that died, in seconds. */
const FORGOTTEN_AFTER = 86_400

/** Prepares the statements. Each runs within the transaction it is called in. */
export function segmentStore(db: DatabaseSync): SegmentStore {
  const generation = query<[number]>(db, 'SELECT generation FROM search_state')
  // By chance, since counting would come to the same number again after a change that was undone.
  const advance = db.prepare('UPDATE search_state SET generation = random() >> 12')
  const published = query<[number, Uint8Array]>(
    db,
    'SELECT segment, head FROM search_segments WHERE head IS NOT NULL AND NOT dropped ORDER BY segment',
  )
  const row = query<[Uint8Array]>(db, 'SELECT bytes FROM search_rows WHERE place = ?')
  const tombstones = query<[number, Uint8Array]>(
    db,
    'SELECT row, bits FROM search_tombstones WHERE segment = ?',
  )
  // By chance as well: counting would give a number again whose rows were undone and may still be at hand somewhere.
  const create = db.prepare(
    `INSERT OR IGNORE INTO search_segments (segment, begun) VALUES (abs(random() % ${SEGMENTS}), unixepoch())`,
  )
  const append = db.prepare('INSERT INTO search_rows (place, bytes) VALUES (?, ?)')
  const publish = db.prepare('UPDATE search_segments SET head = ? WHERE segment = ?')
  const drop = db.prepare('UPDATE search_segments SET dropped = 1 WHERE segment = ?')
  const bury = db.prepare('INSERT OR REPLACE INTO search_tombstones (segment, row, bits) VALUES (?, ?, ?)')
  const waste = query<[number]>(
    db,
    `SELECT segment FROM search_segments WHERE dropped OR head IS NULL AND begun < unixepoch() - ${FORGOTTEN_AFTER}`,
  )
  const removeRows = db.prepare(
    `DELETE FROM search_rows WHERE place IN (
       SELECT place FROM search_rows WHERE place >= ?1 AND place < ?1 + ${FILES * ROWS} LIMIT ?2
     )`,
  )
  const removeTombstones = db.prepare('DELETE FROM search_tombstones WHERE segment = ?')
  const removeSegment = db.prepare('DELETE FROM search_segments WHERE segment = ?')
  return {
    generation: () => generation.get()?.[0] ?? 0,
    segments: (): SegmentRecord[] => published.all().map(([id, head]) => ({ id, head })),
    row(segment, file, number) {
      const found = row.get(placeOf(segment, file, number))
      if (!found) throw new Error(`The search index has no row ${segment}/${file}/${number}.`)
      return found[0]
    },
    tombstones: (segment) => tombstones.all(segment),
    create() {
      for (;;) {
        const { changes, lastInsertRowid } = create.run()
        if (Number(changes) === 1) return Number(lastInsertRowid)
      }
    },
    append(segment, file, number, bytes) {
      append.run(placeOf(segment, file, number), bytes)
    },
    publish(segment, head, replaced) {
      publish.run(head, segment)
      for (const old of replaced) drop.run(old)
      advance.run()
    },
    discard(segment) {
      drop.run(segment)
    },
    bury(segment, number, bits) {
      bury.run(segment, number, bits)
      advance.run()
    },
    sweep(rows) {
      const segment = waste.get()?.[0]
      if (segment === undefined) return false
      if (Number(removeRows.run(placeOf(segment, 0, 0), rows).changes) === rows) return true
      removeTombstones.run(segment)
      removeSegment.run(segment)
      return true
    },
  }
}

function placeOf(segment: number, file: SegmentFile, row: number): number {
  return (segment * FILES + file) * ROWS + row
}

/** Whether the index is of today's format, and so neither to be built nor to be built anew. */
export function isIndexed(db: DatabaseSync): boolean {
  return db.prepare('SELECT format FROM search_state').get()?.['format'] === INDEX_FORMAT
}

/**
 * Throws the index away: what is added from now on is of today's format. Segments that an import is still writing stay,
 * where they have that format: whether they are of any use is for the import to find out.
 */
export function clearIndex(db: DatabaseSync): void {
  const which = isIndexed(db) ? 'WHERE head IS NOT NULL' : ''
  db.exec(`UPDATE search_segments SET dropped = 1 ${which}; DELETE FROM search_tombstones;
    UPDATE search_state SET generation = random() >> 12, format = ${INDEX_FORMAT}`)
}
