/** Stores search index segments in the store's file, in the same transactions as the entities. */
import type { DatabaseSync } from 'node:sqlite'
import { StoreFault } from '@worldwright/core/store'
import {
  INDEX_FORMAT,
  IndexDamage,
  type SegmentFile,
  type SegmentReads,
  type SegmentRecord,
  type SegmentStore,
} from '@worldwright/search'
import { type Query, query } from './row-query.ts'
import { placeSeal, seal, sealOf, unseal } from './sealed-bytes.ts'
import { primaryCode } from './sqlite-faults.ts'

/** Segment tables. `head` is NULL until a segment is published; `dropped` segments are waste. */
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
 * SQL expression for the place of a row, which is a 64-bit integer. `?1` is the segment, `?2` the file and row. There is
 * room for 2^21 rows per file, or 128 GB, and for 2^39 segments: a thousand per second for 17 years.
 */
const PLACE = '(?1 << 24 | ?2)'
const ROWS = 2 ** 21

/** SQLite result code for a page that it cannot interpret. */
const SQLITE_CORRUPT = 11

/** Age, in seconds, at which an unpublished segment is taken for the leftover of a dead process: one day. */
const FORGOTTEN_AFTER = 86_400

/** SQL that adds a checksum of the segment list. If a row of the list were lost, searches would silently miss documents. */
export const SEGMENT_CHECKSUM = `
  -- Of the published segments and their tombstones.
  ALTER TABLE search_state ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0`

/** Prepares the statements. Each runs in the caller's transaction. */
export function segmentStore(db: DatabaseSync): SegmentStore {
  const sql = statements(db)
  const advance = (difference: number) => void sql.advance.run(checksumIn(sql) ^ difference)
  return {
    ...segmentReads(sql),
    create: () => Number(sql.create.run().lastInsertRowid),
    append(segment, file, number, bytes) {
      sql.append.run(segment, file * ROWS + number, seal(bytes, rowPlace(segment, file, number)))
    },
    publish(segment, head, replaced) {
      let difference = placeSeal(headPlace(segment))
      for (const old of replaced) {
        difference ^= placeSeal(headPlace(old))
        for (const [, bits] of sql.tombstones.all(old)) difference ^= sealOf(bits)
        sql.drop.run(old)
      }
      sql.publish.run(seal(head, headPlace(segment)), segment)
      advance(difference)
    },
    discard: (segment) => void sql.drop.run(segment),
    giveUp: () => markUnindexed(db),
    setTombstones(segment, number, bits) {
      const before = sealOf(sql.tombstoneRow.get(segment, number)?.[0] ?? NONE)
      const sealed = seal(bits, tombstonePlace(segment, number))
      sql.setTombstones.run(segment, number, sealed)
      advance(before ^ sealOf(sealed))
    },
    sweep(rows) {
      const segment = sql.waste.get()?.[0]
      if (segment === undefined) return false
      if (Number(sql.removeRows.run(segment, rows).changes) === rows) return true
      sql.removeTombstones.run(segment)
      sql.removeSegment.run(segment)
      return true
    },
  }
}

function segmentReads(sql: Statements): SegmentReads {
  return {
    generation() {
      const [generation = 0, format = 0] = reading(() => sql.state.get()) ?? []
      if (format > INDEX_FORMAT) throw newerIndex()
      return format === INDEX_FORMAT ? generation : undefined
    },
    segments: () => reading(() => publishedSegments(sql)),
    row(segment, file, number) {
      const place = rowPlace(segment, file, number)
      const found = reading(() => sql.row.get(segment, file * ROWS + number))
      if (!found) throw new IndexDamage(`The search index is damaged: ${place} is missing.`)
      return unseal(found[0], place)
    },
  }
}

function publishedSegments(sql: Statements): SegmentRecord[] {
  let checksum = 0
  const records = sql.published.all().map(([id]) => {
    checksum ^= placeSeal(headPlace(id))
    const tombstones = sql.tombstones.all(id).map(([row, bits]) => {
      checksum ^= sealOf(bits)
      return [row, unseal(bits, tombstonePlace(id, row))] as const
    })
    return new PublishedSegment(id, sql.head, tombstones)
  })
  if (checksum !== checksumIn(sql))
    throw new IndexDamage('The search index is damaged: its segments are not those that were published.')
  return records
}

/** Published segment. Its head is read on demand, since the caller caches most heads. */
class PublishedSegment implements SegmentRecord {
  readonly id: number
  readonly tombstones: SegmentRecord['tombstones']
  readonly #head: Query<[Uint8Array]>

  constructor(id: number, head: Query<[Uint8Array]>, tombstones: SegmentRecord['tombstones']) {
    this.id = id
    this.tombstones = tombstones
    this.#head = head
  }

  get head(): Uint8Array {
    const found = reading(() => this.#head.get(this.id))
    return unseal(found?.[0] ?? NONE, headPlace(this.id))
  }
}

/** Runs a read. If SQLite cannot read the index data, throws `IndexDamage`. */
function reading<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (primaryCode(error) !== SQLITE_CORRUPT) throw error
    throw new IndexDamage('The search index is damaged: SQLite cannot read it.', { cause: error })
  }
}

function checksumIn(sql: Statements): number {
  return sql.state.get()?.[2] ?? 0
}

type Statements = ReturnType<typeof statements>

function statements(db: DatabaseSync) {
  return {
    state: query<[number, number, number]>(db, 'SELECT generation, format, checksum FROM search_state'),
    // Random, since a counter would repeat a value after a rollback.
    advance: db.prepare('UPDATE search_state SET generation = random() >> 12, checksum = ?'),
    published: query<[number]>(
      db,
      'SELECT segment FROM search_segments WHERE head IS NOT NULL AND NOT dropped ORDER BY segment',
    ),
    head: query<[Uint8Array]>(db, 'SELECT head FROM search_segments WHERE segment = ?'),
    row: query<[Uint8Array]>(db, `SELECT bytes FROM search_rows WHERE place = ${PLACE}`),
    tombstones: query<[number, Uint8Array]>(db, 'SELECT row, bits FROM search_tombstones WHERE segment = ?'),
    tombstoneRow: query<[Uint8Array]>(db, 'SELECT bits FROM search_tombstones WHERE segment = ? AND row = ?'),
    create: db.prepare('INSERT INTO search_segments (begun) VALUES (unixepoch())'),
    append: db.prepare(`INSERT INTO search_rows (place, bytes) VALUES (${PLACE}, ?3)`),
    publish: db.prepare('UPDATE search_segments SET head = ? WHERE segment = ?'),
    drop: db.prepare('UPDATE search_segments SET dropped = 1 WHERE segment = ?'),
    setTombstones: db.prepare(
      'INSERT OR REPLACE INTO search_tombstones (segment, row, bits) VALUES (?, ?, ?)',
    ),
    waste: query<[number]>(
      db,
      `SELECT segment FROM search_segments WHERE dropped OR head IS NULL AND begun < unixepoch() - ${FORGOTTEN_AFTER}`,
    ),
    removeRows: db.prepare(
      `DELETE FROM search_rows WHERE place IN (
         SELECT place FROM search_rows WHERE place >= ?1 << 24 AND place < (?1 + 1) << 24 LIMIT ?2
       )`,
    ),
    removeTombstones: db.prepare('DELETE FROM search_tombstones WHERE segment = ?'),
    removeSegment: db.prepare('DELETE FROM search_segments WHERE segment = ?'),
  }
}

/** Returns the fault for an index built by a newer version, which must be neither changed nor searched. */
function newerIndex(): StoreFault {
  return new StoreFault(
    'newer_format',
    `A newer version built the search index of this store; this one knows formats up to ${INDEX_FORMAT}. Use the newer one.`,
  )
}

const NONE = new Uint8Array(0)
/** Returns a row's place in the form that its checksum covers. */
export const rowPlace = (segment: number, file: SegmentFile, row: number) =>
  `row ${row} of segment ${segment}/${file}`
/** Returns the place of a segment's head in the form that its checksum covers. */
export const headPlace = (segment: number) => `the head of segment ${segment}`
/** Returns the place of a tombstone row in the form that its checksum covers. */
export const tombstonePlace = (segment: number, row: number) =>
  `row ${row} of the deletions of segment ${segment}`

/** Reports whether the index has the current format, so that it need not be built. @throws StoreFault `newer_format` */
export function isIndexed(db: DatabaseSync): boolean {
  const format = formatOf(db)
  if (format > INDEX_FORMAT) throw newerIndex()
  return format === INDEX_FORMAT
}

function formatOf(db: DatabaseSync): number {
  return Number(db.prepare('SELECT format FROM search_state').get()?.['format'])
}

/** Reports whether the index was discarded and must be rebuilt. */
export function isGivenUp(db: DatabaseSync): boolean {
  return formatOf(db) === 0
}

/** Removes the index and marks it for a rebuild. Searches fail from now on. */
export function markUnindexed(db: DatabaseSync): void {
  throwAway(db)
  setFormat(db, 0)
}

function setFormat(db: DatabaseSync, format: number): void {
  db.exec(`UPDATE search_state SET generation = random() >> 12, format = ${format}, checksum = 0`)
}

/**
 * Removes the index and sets the current format for new segments. Keeps the unpublished segments of an import if they have
 * that format; the import checks whether it can use them.
 */
export function clearIndex(db: DatabaseSync): void {
  throwAway(db)
  setFormat(db, INDEX_FORMAT)
}

function throwAway(db: DatabaseSync): void {
  // The row layout of other formats is unknown, so everything is deleted.
  const clear =
    isGivenUp(db) || isIndexed(db)
      ? 'UPDATE search_segments SET dropped = 1 WHERE head IS NOT NULL'
      : 'DELETE FROM search_rows; DELETE FROM search_segments'
  db.exec(`${clear}; DELETE FROM search_tombstones`)
}
