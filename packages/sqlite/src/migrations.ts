/** Migrations of the store format: step n leads to format n. Steps are never edited, only added. */
import { existsSync, renameSync, rmSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { StoreFault } from '@worldwright/core/store'
import { batchOf } from './batch.ts'
import { checksumOf } from './checksum.ts'
import { entityProblem } from './entity-problem.ts'
import { makePrivate } from './files.ts'
import { query } from './row-query.ts'
import { SEGMENT_CHECKSUM, SEGMENT_SCHEMA } from './segments.ts'
import { withFaults } from './sqlite-faults.ts'
import { reading } from './transaction.ts'

/** SQLite application id that marks a file as a store: `Wrld`. */
const APPLICATION_ID = 0x57726c64

type Migration = string | ((db: DatabaseSync) => void)

/** Migration steps from each format to the next, in order. */
export const MIGRATIONS: readonly Migration[] = [
  `PRAGMA application_id = ${APPLICATION_ID};

  -- BINARY collation compares UTF-8 bytes: the key's order is the order of lists.
  CREATE TABLE entities (
    type TEXT NOT NULL, id TEXT NOT NULL, revision TEXT NOT NULL, json TEXT NOT NULL, PRIMARY KEY (type, id)
  ) STRICT, WITHOUT ROWID;

  -- Every type that has, or ever had, an entity.
  CREATE TABLE types (
    type TEXT NOT NULL PRIMARY KEY, count INTEGER NOT NULL, version TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- One row: the version after the last write, and the version of types that never had an entity.
  CREATE TABLE store (version TEXT NOT NULL, epoch TEXT NOT NULL) STRICT;
  INSERT INTO store VALUES (lower(hex(randomblob(9))), lower(hex(randomblob(9))));

  CREATE TABLE metadata (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- An import and the process it runs in; touched in seconds since 1970. Its rows go after it is over.
  CREATE TABLE imports (
    import INTEGER PRIMARY KEY AUTOINCREMENT, host TEXT NOT NULL, process INTEGER NOT NULL,
    touched REAL NOT NULL, over INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE staged (
    import INTEGER NOT NULL, type TEXT NOT NULL, id TEXT NOT NULL, revision TEXT NOT NULL, content TEXT NOT NULL,
    PRIMARY KEY (import, type, id)
  ) STRICT, WITHOUT ROWID;

  ${SEGMENT_SCHEMA}`,

  `-- The store's version after the write that kept a value.
  ALTER TABLE metadata ADD COLUMN version TEXT NOT NULL DEFAULT '';

  -- Tokens move no version; before, they were metadata.
  CREATE TABLE tokens (
    id TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL, last_used TEXT
  ) STRICT, WITHOUT ROWID;
  INSERT INTO tokens SELECT substr(token.key, 7), token.value, used.value
    FROM metadata token LEFT JOIN metadata used ON used.key = 'token-use:' || substr(token.key, 7)
    WHERE token.key GLOB 'token:*';
  DELETE FROM metadata WHERE key GLOB 'token:*' OR key GLOB 'token-use:*';

  ALTER TABLE imports RENAME COLUMN touched TO heartbeat;
  ALTER TABLE imports RENAME COLUMN over TO finished`,

  `-- Writes are counted instead of marked: what is there counts as written by the first one.
  ALTER TABLE entities ADD COLUMN number INTEGER NOT NULL DEFAULT 1;
  CREATE INDEX entities_by_number ON entities (number, type, id);

  -- The last deletion of an entity that is not there any more; deleted_at in milliseconds since 1970.
  CREATE TABLE deletions (
    type TEXT NOT NULL, id TEXT NOT NULL, number INTEGER NOT NULL, deleted_at INTEGER NOT NULL, PRIMARY KEY (type, id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX deletions_by_number ON deletions (number, type, id);

  -- One row. number: of the last write that changed entities; edits: writes of metadata alone; trimmed: deletions up to
  -- this number may be forgotten.
  ALTER TABLE store ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE store ADD COLUMN edits INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE store ADD COLUMN trimmed INTEGER NOT NULL DEFAULT 0;
  UPDATE store SET number = EXISTS (SELECT 1 FROM types), trimmed = EXISTS (SELECT 1 FROM types);

  -- Types that were not written otherwise since they were loaded stay such.
  UPDATE metadata SET value = json_set(value, '$.versions', json((
    SELECT json_group_object(loaded.key, CASE
      WHEN types.version IN (loaded.value, metadata.version) THEN (SELECT epoch FROM store) || '-1' ELSE loaded.value END)
    FROM json_each(metadata.value, '$.versions') loaded LEFT JOIN types ON types.type = loaded.key
  ))) WHERE key = 'sources' AND json_type(value, '$.versions') = 'object';

  -- What is followed is staged with its number; without content it is a deletion.
  ALTER TABLE staged ADD COLUMN number INTEGER;

  ALTER TABLE types ADD COLUMN number INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE types DROP COLUMN version;
  ALTER TABLE store DROP COLUMN version`,

  `-- Types that files fill, and the entities of them that others wrote or deleted. filed: the revision that the files were
  -- seen to hold of it last; empty where they hold it no more, NULL where they never did.
  CREATE TABLE file_types (type TEXT NOT NULL PRIMARY KEY) STRICT, WITHOUT ROWID;
  CREATE TABLE owned (
    type TEXT NOT NULL, id TEXT NOT NULL, filed TEXT, PRIMARY KEY (type, id)
  ) STRICT, WITHOUT ROWID;

  -- What was written since the last load is of others.
  INSERT INTO file_types SELECT loaded.key FROM metadata, json_each(metadata.value, '$.versions') loaded
    WHERE metadata.key = 'sources' AND json_type(metadata.value, '$.versions') = 'object';
  INSERT INTO owned SELECT type, id, NULL FROM entities
    WHERE type IN (SELECT type FROM file_types) AND number > (
      SELECT CAST(substr(version, instr(version, '-') + 1) AS INTEGER) FROM metadata WHERE key = 'sources'
    );
  INSERT INTO owned SELECT type, id, '' FROM deletions
    WHERE type IN (SELECT type FROM file_types) AND number > (
      SELECT CAST(substr(version, instr(version, '-') + 1) AS INTEGER) FROM metadata WHERE key = 'sources'
    )`,

  SEGMENT_CHECKSUM,
  (db) => {
    db.exec(`-- NULL: the entity was damaged already when checksums came.
      ALTER TABLE entities ADD COLUMN checksum INTEGER;
      ALTER TABLE staged ADD COLUMN checksum INTEGER`)
    addChecksums(db)
  },

  `-- Where the store follows one that several write at once: numbers before its own of writes still under way there, as JSON.
  ALTER TABLE store ADD COLUMN pending TEXT NOT NULL DEFAULT '[]'`,

  `-- Tokens are named values again, beside the content now: names that begin with ~ move no version.
  INSERT INTO metadata SELECT '~token:' || id, value, '' FROM tokens;
  INSERT INTO metadata SELECT '~token-use:' || id, last_used, '' FROM tokens WHERE last_used IS NOT NULL;
  DROP TABLE tokens`,

  `-- Imports stage their entities in a temporary file now.
  DROP TABLE staged;
  DROP TABLE imports`,
]

/** Store format that this engine reads and writes. */
export const FORMAT = MIGRATIONS.length

/**
 * Refuses a database whose header shows that it is not a store or has a newer format. Accepts a database without tables,
 * since it may become a store.
 * @throws StoreFault `not_a_store`, `newer_format`
 */
export function refuseForeign(db: DatabaseSync): void {
  const isOurs = reading(db, () => pragma(db, 'application_id') === APPLICATION_ID || isEmpty(db))
  if (!isOurs)
    throw new StoreFault('not_a_store', 'This is a database of another program. It was not touched.')
  newerRefusal(db)()
}

/**
 * Returns a function that throws StoreFault `newer_format` if a newer version has migrated the store. A call takes some
 * microseconds.
 */
export function newerRefusal(db: DatabaseSync): () => void {
  const version = query<[number]>(db, 'PRAGMA user_version')
  return () => {
    const [format = 0] = withFaults(() => version.get()) ?? []
    if (format <= FORMAT) return
    const message = `The store has format ${format}; this version knows formats up to ${FORMAT}. Use a newer one.`
    throw new StoreFault('newer_format', message)
  }
}

/**
 * Migrates a store to the current format, each step in its own transaction. A store with data is first copied to
 * `FILE.format-N.backup`; if there is no disk space for that, nothing is changed. Without `file`, no copy is made.
 */
export function migrate(
  db: DatabaseSync,
  file: string | undefined,
  migrations: readonly Migration[] = MIGRATIONS,
): void {
  const format = pragma(db, 'user_version')
  if (file !== undefined && format > 0 && format < migrations.length)
    keepCopy(db, `${file}.format-${format}.backup`)
  while (pragma(db, 'user_version') < migrations.length) {
    db.exec('BEGIN IMMEDIATE')
    try {
      // Another process may have run this step while this one waited for the lock.
      const format = pragma(db, 'user_version')
      const step = migrations[format]
      if (step !== undefined) {
        if (typeof step === 'string') db.exec(step)
        else step(db)
        db.exec(`PRAGMA user_version = ${format + 1}`)
      }
      db.exec('COMMIT')
    } finally {
      if (db.isTransaction) db.exec('ROLLBACK')
    }
  }
}

type EntityRow = [type: string, id: string, revision: string, json: string]

/** Adds a checksum to every entity that matches its revision. The others count as damaged. */
function addChecksums(db: DatabaseSync): void {
  const rows = query<EntityRow>(
    db,
    'SELECT type, id, revision, json FROM entities WHERE (type, id) > (?, ?) ORDER BY type, id',
  )
  const set = db.prepare('UPDATE entities SET checksum = ? WHERE type = ? AND id = ?')
  for (let after: readonly [string, string] | undefined = ['', '']; after; ) {
    const batch: EntityRow[] = batchOf(rows.iterate(...after), ([, , , json]) => [json])
    for (const [type, id, revision, json] of batch)
      if (entityProblem({ type, id, revision, json }) === undefined)
        set.run(checksumOf(type, id, revision, json), type, id)
    const last = batch.at(-1)
    after = last && [last[0], last[1]]
  }
}

/** Copies the database to `target`. If `target` exists, it is the copy of an interrupted upgrade from the same format. */
function keepCopy(db: DatabaseSync, target: string): void {
  if (existsSync(target)) return
  const partial = `${target}.partial-${process.pid}`
  rmSync(partial, { force: true })
  makePrivate(partial)
  db.prepare('VACUUM INTO ?').run(partial)
  renameSync(partial, target)
}

/** Reports whether the database has the current store format. */
export function isCurrent(db: DatabaseSync): boolean {
  return pragma(db, 'user_version') === FORMAT
}

/** Reports whether the database is a store with an older format. */
export function isOlder(db: DatabaseSync): boolean {
  const format = pragma(db, 'user_version')
  return format > 0 && format < FORMAT
}

function isEmpty(db: DatabaseSync): boolean {
  return !db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get()
}

function pragma(db: DatabaseSync, name: 'application_id' | 'user_version'): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name])
}
