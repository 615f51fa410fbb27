/** Vectors of entities in a file beside the store: derived data, which is made again where it is gone or of another model. */
import { rmSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { EntityKey } from '@worldwright/core/store'
import type { FoundEntity } from './meaning.ts'

/** The vector of an entity as it was at a revision. */
export interface EntityVector extends FoundEntity {
  readonly vector: Float32Array
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS model (only INTEGER PRIMARY KEY CHECK (only = 1), fingerprint TEXT NOT NULL, place TEXT, types TEXT);
  CREATE TABLE IF NOT EXISTS vectors (
    type TEXT, id TEXT, revision TEXT NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (type, id)
  ) WITHOUT ROWID;
`

/** The vectors of one model. What it holds is never more than a hint: a vector counts for its revision alone. */
export class VectorFile {
  readonly #db: DatabaseSync
  readonly #get: StatementSync
  readonly #put: StatementSync
  readonly #remove: StatementSync
  readonly #move: StatementSync

  /** Opens the file; one of another model, or that is damaged, is replaced by a new one. `types`: those whose vectors are kept. */
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

  /** How far the log of the store was followed: as `Changes.next`; undefined at its beginning. */
  place(): string | undefined {
    return (this.#db.prepare('SELECT place FROM model').get()?.['place'] as string | null) ?? undefined
  }

  /** The vector of an entity as it is at its revision; undefined if there is none. */
  get({ type, id, revision }: FoundEntity): Float32Array | undefined {
    const bytes = this.#get.get(type, id, revision)?.['vector']
    return bytes instanceof Uint8Array ? new Float32Array(bytes.slice().buffer) : undefined
  }

  /** Keeps vectors, forgets those of what was deleted, and moves on, in one step. `place` undefined: back to the beginning. */
  move(vectors: readonly EntityVector[], deleted: readonly EntityKey[], place: string | undefined): void {
    this.#db.exec('BEGIN IMMEDIATE')
    for (const { type, id, revision, vector } of vectors)
      this.#put.run(type, id, revision, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength))
    for (const { type, id } of deleted) this.#remove.run(type, id)
    this.#move.run(place ?? null)
    this.#db.exec('COMMIT')
  }

  /** Closes the file. */
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

/** Without syncing: what a machine loses with its power is made again. */
function prepared(db: DatabaseSync): DatabaseSync {
  try {
    db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; ${SCHEMA}`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}
