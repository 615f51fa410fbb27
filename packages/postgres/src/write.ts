import type { NamedValues, Operation, StoredEntity, WriteOptions, WriteResult } from '@worldwright/core/store'
import {
  applyOperations,
  type EntityTable,
  type PreparedOperation,
  prepareOperations,
  timestampOf,
  unmetValue,
} from '@worldwright/core/store'
import type { Database } from './database.ts'
import { decided, mintWriteId } from './decided.ts'
import {
  bytes,
  finishState,
  type Held,
  hold,
  note,
  positionAfter,
  text,
  valuesLocks,
  valuesOf,
} from './rows.ts'
import type { Prepared, Session } from './session.ts'

/** Applies a write in one transaction. @throws StoreFault `unreachable`; `undecided` if the outcome is unknown */
export async function write(
  database: Database,
  now: () => Date,
  operations: readonly Operation[],
  { values = {}, ifValues = {} }: WriteOptions = {},
): Promise<WriteResult> {
  const prepared = prepareOperations(operations)
  const id = mintWriteId()
  let answer: WriteResult | undefined
  return decided(database, id, {
    async run() {
      answer = undefined
      return database.writing(async (session, undone) => {
        answer = await apply(session, { prepared, values, ifValues, at: now(), id })
        if (!answer.done) undone()
        return answer
      })
    },
    answer: () => answer,
  })
}

interface Work {
  readonly prepared: readonly PreparedOperation[]
  readonly values: NamedValues
  readonly ifValues: NamedValues
  readonly at: Date
  readonly id: string
}

async function apply(session: Session, { prepared, values, ifValues, at, id }: Work): Promise<WriteResult> {
  const keys = prepared.map((operation) => ('put' in operation ? operation.put : operation.delete))
  const names = [...new Set([...Object.keys(values), ...Object.keys(ifValues)])]
  const types = keys.map(({ type }) => type)
  const [held, [before, table]] = await hold(session, types, valuesLocks(values, ifValues), () =>
    Promise.all([valuesOf(session, names), WrittenTable.read(session, keys)]),
  )
  const failedValue = unmetValue(ifValues, (name) => before.get(name))
  if (failedValue !== undefined) return { done: false, failedValue }

  const applied = applyOperations(table, prepared, timestampOf(at))
  if (!applied.done) {
    const current = table.stored(keys[applied.failed] as { type: string; id: string })
    return { done: false, failed: applied.failed, ...(current && { current }) }
  }
  const growth = table.write(session, held, at)
  if (finishState(session, { held, growth, values, before })) note(session, id)
  return { ...applied, position: await positionAfter(session, held, growth.size > 0) }
}

type Key = { readonly type: string; readonly id: string }

const STANDING: Prepared = {
  name: 'standing',
  text: `SELECT type, id, revision, json FROM entities
    WHERE (type, id) IN (SELECT t, i FROM unnest($1::bytea[], $2::bytea[]) AS k (t, i))`,
}

/** Entities of one write, which are read in one batch, changed in memory and written in one batch. */
class WrittenTable implements EntityTable {
  readonly #before: ReadonlyMap<string, StoredEntity>
  readonly #now: Map<string, StoredEntity | undefined>
  /** Keys put or deleted. Includes entities deleted and put again in the same write, because they get new timestamps. */
  readonly #touched = new Map<string, Key>()

  private constructor(before: ReadonlyMap<string, StoredEntity>) {
    this.#before = before
    this.#now = new Map(before)
  }

  static async read(session: Session, keys: readonly Key[]): Promise<WrittenTable> {
    const rows =
      keys.length === 0
        ? []
        : await session.query<{ type: Buffer; id: Buffer; revision: string; json: string }>(STANDING, [
            keys.map(({ type }) => bytes(type)),
            keys.map(({ id }) => bytes(id)),
          ])
    return new WrittenTable(
      new Map(
        rows.map(({ type, id, revision, json }) => {
          const entity = { type: text(type), id: text(id), revision, json }
          return [keyOf(entity), entity]
        }),
      ),
    )
  }

  /** Returns the entity stored before the write, or undefined if there was none. */
  stored(key: Key): StoredEntity | undefined {
    return this.#before.get(keyOf(key))
  }

  get(type: string, id: string): StoredEntity | undefined {
    return this.#now.get(keyOf({ type, id }))
  }

  put(entity: StoredEntity): void {
    this.#now.set(keyOf(entity), entity)
    this.#touched.set(keyOf(entity), entity)
  }

  delete(entity: StoredEntity): void {
    this.#now.set(keyOf(entity), undefined)
    this.#touched.set(keyOf(entity), entity)
  }

  /** Writes the changes and returns the change in the entity count of each changed type. */
  write(session: Session, { number, types }: Held, at: Date): Map<string, number> {
    const growth = new Map<string, number>()
    const touched = [...this.#touched.entries()].map(([key, { type, id }]) => ({
      type,
      id,
      before: this.#before.get(key),
      after: this.#now.get(key),
    }))
    for (const { type, before, after } of touched) {
      const delta = (after ? 1 : 0) - (before ? 1 : 0)
      growth.set(type, (growth.get(type) ?? 0) + delta)
    }
    const puts = touched.flatMap(({ after }) => after ?? [])
    const gone = touched.filter(({ after }) => after === undefined)
    const filled = touched.filter(({ type }) => types.get(type)?.isFilled)
    if (filled.length > 0) claim(session, filled)
    if (puts.length > 0) putRows(session, puts, number)
    if (gone.length > 0) deleteRows(session, gone, number, at)
    return growth
  }
}

interface Touched extends Key {
  readonly before: StoredEntity | undefined
  readonly after: StoredEntity | undefined
}

/** Records ownership (see `Owned`). An entity that files never contained needs no record once it is deleted. */
function claim(session: Session, touched: readonly Touched[]): void {
  const columns = (rows: readonly Key[]) => [
    rows.map(({ type }) => bytes(type)),
    rows.map(({ id }) => bytes(id)),
  ]
  session.send(
    `INSERT INTO owned (type, id, filed) SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::text[]) ON CONFLICT DO NOTHING`,
    [...columns(touched), touched.map(({ before }) => before?.revision ?? null)],
  )
  const gone = touched.filter(({ after }) => after === undefined)
  if (gone.length > 0)
    session.send(
      `DELETE FROM owned WHERE filed IS NULL AND (type, id) IN (SELECT * FROM unnest($1::bytea[], $2::bytea[]))`,
      columns(gone),
    )
}

function putRows(session: Session, entities: readonly StoredEntity[], number: number): void {
  session.send(PUT, [
    entities.map(({ type }) => bytes(type)),
    entities.map(({ id }) => bytes(id)),
    entities.map(({ revision }) => revision),
    entities.map(({ json }) => json),
    entities.map(({ json }) => JSON.parse(json).createdAt),
    number,
  ])
}

const PUT: Prepared = {
  name: 'put',
  text: `WITH put AS (SELECT * FROM unnest($1::bytea[], $2::bytea[], $3::text[], $4::text[], $5::text[])
       AS p (type, id, revision, json, created_at)),
     known AS (DELETE FROM deletions WHERE (type, id) IN (SELECT type, id FROM put))
     INSERT INTO entities (type, id, revision, json, created_at, number)
     SELECT type, id, revision, json, created_at, $6 FROM put
     ON CONFLICT (type, id) DO UPDATE
     SET revision = excluded.revision, json = excluded.json, created_at = excluded.created_at, number = excluded.number`,
}

function deleteRows(session: Session, keys: readonly Key[], number: number, at: Date): void {
  session.send(DELETE, [
    keys.map(({ type }) => bytes(type)),
    keys.map(({ id }) => bytes(id)),
    number,
    at.getTime(),
  ])
}

const DELETE: Prepared = {
  name: 'delete',
  text: `WITH gone AS (SELECT * FROM unnest($1::bytea[], $2::bytea[]) AS g (type, id)),
     removed AS (DELETE FROM entities WHERE (type, id) IN (SELECT type, id FROM gone))
     INSERT INTO deletions (type, id, number, deleted_at) SELECT type, id, $3, $4 FROM gone
     ON CONFLICT (type, id) DO UPDATE SET number = excluded.number, deleted_at = excluded.deleted_at`,
}

function keyOf({ type, id }: Key): string {
  return `${type}\n${id}`
}
