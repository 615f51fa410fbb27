/** The search index's segments in the store's own file, in the same transactions as the entities. */
import type { DatabaseSync } from 'node:sqlite'
import { INDEX_FORMAT, type SegmentRecord, type SegmentStore } from '../../search/port/segment-store.ts'
import { type Query, query } from './row-query.ts'

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

/**
 * A row's place, in SQL since it is a whole number of 64 bits: `?1` the segment, `?2` the file and row. That is room for
 * 2^22 rows of a file, 256 GB, and for 2^39 segments: a thousand a second for 17 years.
 */
const PLACE = '(?1 << 24 | ?2)'
const ROWS = 2 ** 22

/** A segment that nobody published within a day was left by a process that died, in seconds. */
const FORGOTTEN_AFTER = 86_400

/** A segment whose head is read when it is asked for: most are known to whoever lists them. */
class PublishedSegment implements SegmentRecord {
  readonly id: number
  readonly #head: Query<[Uint8Array]>

  constructor(id: number, head: Query<[Uint8Array]>) {
    this.id = id
    this.#head = head
  }

  get head(): Uint8Array {
    const found = this.#head.get(this.id)
    if (!found) throw new Error(`The search index has no segment ${this.id}.`)
    return found[0]
  }
}

/** Prepares the statements. Each runs within the transaction it is called in. */
export function segmentStore(db: DatabaseSync): SegmentStore {
  const generation = query<[number]>(db, 'SELECT generation FROM search_state')
  // By chance, since counting would come to the same number again after a change that was undone.
  const advance = db.prepare('UPDATE search_state SET generation = random() >> 12')
  const published = query<[number]>(
    db,
    'SELECT segment FROM search_segments WHERE head IS NOT NULL AND NOT dropped ORDER BY segment',
  )
  const head = query<[Uint8Array]>(db, 'SELECT head FROM search_segments WHERE segment = ?')
  const row = query<[Uint8Array]>(db, `SELECT bytes FROM search_rows WHERE place = ${PLACE}`)
  const tombstones = query<[number, Uint8Array]>(
    db,
    'SELECT row, bits FROM search_tombstones WHERE segment = ?',
  )
  const create = db.prepare('INSERT INTO search_segments (begun) VALUES (unixepoch())')
  const append = db.prepare(`INSERT INTO search_rows (place, bytes) VALUES (${PLACE}, ?3)`)
  const publish = db.prepare('UPDATE search_segments SET head = ? WHERE segment = ?')
  const drop = db.prepare('UPDATE search_segments SET dropped = 1 WHERE segment = ?')
  const setTombstones = db.prepare(
    'INSERT OR REPLACE INTO search_tombstones (segment, row, bits) VALUES (?, ?, ?)',
  )
  const waste = query<[number]>(
    db,
    `SELECT segment FROM search_segments WHERE dropped OR head IS NULL AND begun < unixepoch() - ${FORGOTTEN_AFTER}`,
  )
  const removeRows = db.prepare(
    `DELETE FROM search_rows WHERE place IN (
       SELECT place FROM search_rows WHERE place >= ?1 << 24 AND place < (?1 + 1) << 24 LIMIT ?2
     )`,
  )
  const removeTombstones = db.prepare('DELETE FROM search_tombstones WHERE segment = ?')
  const removeSegment = db.prepare('DELETE FROM search_segments WHERE segment = ?')
  return {
    generation: () => generation.get()?.[0] ?? 0,
    segments: (): SegmentRecord[] => published.all().map(([id]) => new PublishedSegment(id, head)),
    row(segment, file, number) {
      const found = row.get(segment, file * ROWS + number)
      if (!found) throw new Error(`The search index has no row ${segment}/${file}/${number}.`)
      return found[0]
    },
    tombstones: (segment) => tombstones.all(segment),
    create: () => Number(create.run().lastInsertRowid),
    append(segment, file, number, bytes) {
      append.run(segment, file * ROWS + number, bytes)
    },
    publish(segment, head, replaced) {
      publish.run(head, segment)
      for (const old of replaced) drop.run(old)
      advance.run()
    },
    discard(segment) {
      drop.run(segment)
    },
    setTombstones(segment, number, bits) {
      setTombstones.run(segment, number, bits)
      advance.run()
    },
    sweep(rows) {
      const segment = waste.get()?.[0]
      if (segment === undefined) return false
      if (Number(removeRows.run(segment, rows).changes) === rows) return true
      removeTombstones.run(segment)
      removeSegment.run(segment)
      return true
    },
  }
}

/** Whether the index is of today's format, so that it need not be built. */
export function isIndexed(db: DatabaseSync): boolean {
  return db.prepare('SELECT format FROM search_state').get()?.['format'] === INDEX_FORMAT
}

/**
 * Throws the index away: what is added from now on is of today's format. Segments that an import is still writing stay,
 * where they have that format: whether they are of any use is for the import to find out.
 */
export function clearIndex(db: DatabaseSync): void {
  // Of another format nothing can be known, where its rows lie included.
  const clear = isIndexed(db)
    ? 'UPDATE search_segments SET dropped = 1 WHERE head IS NOT NULL'
    : 'DELETE FROM search_rows; DELETE FROM search_segments'
  db.exec(`${clear}; DELETE FROM search_tombstones;
    UPDATE search_state SET generation = random() >> 12, format = ${INDEX_FORMAT}`)
}
