/** Stores entity vectors in a file next to the store. A missing file, or one for a different model, is rebuilt. */
import { rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { EntityKey } from '@worldwright/core/store'
import type { FoundEntity } from './meaning.ts'

/** The vector of one revision of an entity. */
export interface EntityVector extends FoundEntity {
  readonly vector: Float32Array
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS model (only INTEGER PRIMARY KEY CHECK (only = 1), fingerprint TEXT NOT NULL, place TEXT, types TEXT);
  CREATE TABLE IF NOT EXISTS vectors (
    type TEXT, id TEXT, revision TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (type, id)
  ) WITHOUT ROWID;
`

/** Vectors of one model. Each vector is valid only for the entity revision that it was computed from. */
export class VectorFile {
  readonly #db: DatabaseSync
  readonly #get: StatementSync
  readonly #put: StatementSync
  readonly #remove: StatementSync
  readonly #move: StatementSync

  /** Opens the vector file for `types`. Empties it if it belongs to a different model, and replaces it if it is damaged. */
  constructor(file: string, fingerprint: string, types: readonly string[]) {
    this.#db = opened(file)
    const known = this.#db.prepare('SELECT fingerprint, types FROM model').get()
    const named = JSON.stringify(types.toSorted())
    if (known?.['fingerprint'] !== fingerprint) this.#db.exec('DELETE FROM vectors')
    if (known?.['fingerprint'] !== fingerprint || known['types'] !== named)
      this.#db.prepare('INSERT OR REPLACE INTO model VALUES (1, ?, NULL, ?)').run(fingerprint, named)
    this.#get = this.#db.prepare('SELECT vector FROM vectors WHERE type = ? AND id = ? AND revision = ?')
    this.#put = this.#db.prepare('INSERT OR REPLACE INTO vectors VALUES (?, ?, ?, ?)')
    this.#remove = this.#db.prepare('DELETE FROM vectors WHERE type = ? AND id = ?')
    this.#move = this.#db.prepare('UPDATE model SET place = ?')
  }

  /** Returns the `Changes.next` up to which the change log was followed, or undefined for the start of the log. */
  offset(): string | undefined {
    return (this.#db.prepare('SELECT place FROM model').get()?.['place'] as string | null) ?? undefined
  }

  /** Returns the vector of an entity revision, or undefined if there is none. */
  get({ type, id, revision }: FoundEntity): Float32Array | undefined {
    const bytes = this.#get.get(type, id, revision)?.['vector']
    return bytes instanceof Uint8Array ? new Float32Array(bytes.slice().buffer) : undefined
  }

  /** Atomically adds vectors, removes those of deleted entities, and sets the offset; undefined is the start of the log. */
  move(vectors: readonly EntityVector[], deleted: readonly EntityKey[], offset: string | undefined): void {
    this.#db.exec('BEGIN IMMEDIATE')
    for (const { type, id, revision, vector } of vectors)
      this.#put.run(type, id, revision, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    for (const { type, id } of deleted) this.#remove.run(type, id)
    this.#move.run(offset ?? null)
    this.#db.exec('COMMIT')
  }

  close(): void {
    this.#db.close()
  }
}

function opened(file: string): DatabaseSync {
  try {
    return prepared(new DatabaseSync(file))
  } catch {
    for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true })
    return prepared(new DatabaseSync(file))
  }
}

/** Prepares the database without fsync, since vectors lost in a power failure are recomputed. */
function prepared(db: DatabaseSync): DatabaseSync {
  try {
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; ${SCHEMA}`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
