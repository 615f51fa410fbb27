/** Steps between the formats of a store in PostgreSQL. */

/** Step to the next format. `least` is the oldest format whose nodes can still work on a store after it. */
export interface FormatStep {
  readonly sql: string
  readonly least: number
}

/** Steps of before formats changed by expand and contract: after each, nodes of an older format are refused. */
const BEFORE: readonly string[] = [
  `-- number: of the last write, the transaction's own number above base. created_at: in RFC 3339.
  CREATE TABLE entities (
    type bytea NOT NULL, id bytea NOT NULL, revision text NOT NULL, json text NOT NULL, created_at text NOT NULL,
    number bigint NOT NULL, PRIMARY KEY (type, id)
  );
  CREATE INDEX entities_by_number ON entities (number);

  -- The last deletion of an entity that is not there any more; deleted_at in milliseconds since 1970.
  CREATE TABLE deletions (
    type bytea NOT NULL, id bytea NOT NULL, number bigint NOT NULL, deleted_at bigint NOT NULL, PRIMARY KEY (type, id)
  );
  CREATE INDEX deletions_by_number ON deletions (number);

  -- Every type that has, or ever had, an entity; number 0: it never had one. Whoever writes a type holds its row, and those of
  -- several in their order. number: of the last one who wrote; who waited long may come after one with a higher number, so
  -- high is the highest. filled: files fill it.
  CREATE TABLE types (
    type bytea NOT NULL PRIMARY KEY, count bigint NOT NULL DEFAULT 0, number bigint NOT NULL DEFAULT 0,
    high bigint NOT NULL DEFAULT 0, filled boolean NOT NULL DEFAULT false
  );

  -- What others than files wrote of types that files fill. filed: the revision that the files were seen to hold of it last;
  -- empty where they hold it no more, NULL where they never did.
  CREATE TABLE owned (type bytea NOT NULL, id bytea NOT NULL, filed text, PRIMARY KEY (type, id));

  -- What is no entity: whoever writes metadata or tokens holds the row of that name, after those of types.
  CREATE TABLE rooms (name text NOT NULL PRIMARY KEY, number bigint NOT NULL DEFAULT 0);
  INSERT INTO rooms (name) VALUES ('metadata'), ('tokens');
  CREATE TABLE metadata (key text NOT NULL PRIMARY KEY, value text NOT NULL, version text NOT NULL);
  CREATE TABLE tokens (id text NOT NULL PRIMARY KEY, value text NOT NULL, last_used text);

  -- A commit whose answer was lost is found here by its own id.
  CREATE TABLE writes (id uuid NOT NULL PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());

  -- Imports and what they staged, as in every engine. It is lost with the server that holds it: an import begins again.
  CREATE TABLE imports (
    import bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, heartbeat timestamptz NOT NULL DEFAULT now(),
    finished boolean NOT NULL DEFAULT false
  );
  CREATE UNLOGGED TABLE staged (
    import bigint NOT NULL, type bytea NOT NULL, id bytea NOT NULL, revision text NOT NULL, content text NOT NULL,
    mark bigint, PRIMARY KEY (import, type, id)
  );

  -- One row. base: what a transaction's own number is counted from. trimmed: deletions up to this number may be forgotten.
  CREATE TABLE store (
    format int NOT NULL, epoch text NOT NULL, base bigint NOT NULL, trimmed bigint NOT NULL DEFAULT 0
  )`,

  `-- What one node does for all, until it ends by the clock of the database: see leases.ts.
  CREATE TABLE leases (name text NOT NULL PRIMARY KEY, holder uuid NOT NULL, ends timestamptz NOT NULL)`,

  `-- An import is lost together with what it staged, so that none goes on with half of it. Numbers are drawn, and none comes again.
  ALTER TABLE imports ALTER import DROP IDENTITY IF EXISTS;
  ALTER TABLE imports SET UNLOGGED`,

  `-- The log in its order: an import has one number, and is read in pages.
  CREATE INDEX IF NOT EXISTS entities_by_place ON entities (number, type, id);
  DROP INDEX IF EXISTS entities_by_number;
  CREATE INDEX IF NOT EXISTS deletions_by_place ON deletions (number, type, id);
  DROP INDEX IF EXISTS deletions_by_number`,

  `-- Tokens are named values beside the content, which have a room of their own: names that begin with ~ move no version.
  -- First: whoever writes tokens holds this row, so that the replica misses nothing that a node of before still writes.
  UPDATE rooms SET name = 'beside' WHERE name = 'tokens';
  INSERT INTO metadata SELECT '~token:' || id, value, '' FROM tokens;
  INSERT INTO metadata SELECT '~token-use:' || id, last_used, '' FROM tokens WHERE last_used IS NOT NULL;
  DROP TABLE tokens`,

  `-- Names that begin with ~~ have a room of their own, as nodes do not replicate them. Prefixes are ranges of the index.
  INSERT INTO rooms (name) VALUES ('apart') ON CONFLICT DO NOTHING;
  CREATE INDEX IF NOT EXISTS metadata_by_name ON metadata (key COLLATE "C")`,
]

/**
 * All steps, of which number n produces format n. They must only be added, never edited. A step that expands keeps `least`, and
 * nodes of `least` must still read and write correctly after it. One that contracts, in a later version, raises `least`, and must
 * drop or rename what older nodes read or write: a node may run a statement before it sees the format. Types and ids are stored as bytes, so that they sort in UTF-8 order
 * regardless of the database's collation.
 */
export const STEPS: FormatStep[] = [
  ...BEFORE.map((sql, at) => ({ sql, least: at + 1 })),
  {
    sql: `-- content: the format of what the store holds. format: the oldest one whose nodes may read and write it.
    ALTER TABLE store ADD COLUMN content int`,
    least: 6,
  },
]
