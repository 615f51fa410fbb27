/** Reads a whole store file as rows, and creates a store file from such rows. */
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import {
  beginToFollow,
  damagedEntity,
  positionOf,
  RULES_KEY,
  rulesOfText,
  StoreFault,
  setIndexRules,
} from '@worldwright/core/store'
import { refuseExisting, settle } from './backup.ts'
import { batchOf } from './batch.ts'
import { readEntityFrom } from './checksum.ts'
import { connectReader, refuseOtherFiles } from './connect.ts'
import { openSqliteStore } from './open.ts'
import { query } from './row-query.ts'
import { faultFrom } from './sqlite-faults.ts'
import type { KnownDeletion, NumberedEntity, OwnedKey, StoreContent } from './store-content.ts'
import type { StoreReport } from './store-report.ts'
import { storeState } from './store-state.ts'

/** Runs `work` on one snapshot of a store. @throws StoreFault, also while a replica is missing writes of its upstream */
export async function withContent<T>(file: string, work: (content: StoreContent) => Promise<T>): Promise<T> {
  refuseOtherFiles(resolve(file))
  const db = connectReader(resolve(file))
  try {
    db.exec('BEGIN; SELECT number FROM store')
    return await work(contentOf(db))
  } catch (error) {
    throw faultFrom(error)
  } finally {
    db.close()
  }
}

function contentOf(db: DatabaseSync): StoreContent {
  const { epoch, number, trimmed, pending } = storeState(db).history()
  if (pending.length > 0)
    throw new StoreFault('busy', 'Writes that this replica has not seen are still under way. Try again.')
  return {
    epoch,
    number,
    trimmed,
    types: query<[string, number, number]>(db, 'SELECT type, count, number FROM types ORDER BY type')
      .all()
      .map(([type, count, number]) => ({ type, count, number })),
    filled: query<[string]>(db, 'SELECT type FROM file_types ORDER BY type')
      .all()
      .map(([type]) => type),
    values: query<[string, string, string]>(db, 'SELECT key, value, version FROM metadata ORDER BY key')
      .all()
      .map(([key, value, version]) => ({ key, value, version })),
    entities: () =>
      pages<EntityRow, NumberedEntity>(
        db,
        'SELECT type, id, revision, json, checksum, number FROM entities ORDER BY type, id',
        soundEntity,
      ),
    deletions: () =>
      pages<[string, string, number, number], KnownDeletion>(
        db,
        'SELECT type, id, number, deleted_at FROM deletions ORDER BY type, id',
        ([type, id, number, deletedAt]) => ({ type, id, number, deletedAt }),
      ),
    owned: () =>
      pages<[string, string, string | null], OwnedKey>(
        db,
        'SELECT type, id, filed FROM owned ORDER BY type, id',
        ([type, id, filed]) => ({ type, id, filed }),
      ),
  }
}

type EntityRow = [
  type: string,
  id: string,
  revision: string,
  json: string,
  checksum: number | null,
  number: number,
]

function soundEntity([type, id, revision, json, checksum, number]: EntityRow): NumberedEntity {
  const found = readEntityFrom(type, id, revision, json, checksum)
  if (found === 'damaged') throw damagedEntity({ type, id })
  return { ...found, number }
}

async function* pages<Row extends readonly unknown[], Item extends object>(
  db: DatabaseSync,
  sql: string,
  itemOf: (row: Row) => Item,
): AsyncGenerator<Item[]> {
  // An exhausted generator stays exhausted, while the statement iterators of Node.js 24.15 start over.
  const rows = all(query<Row>(db, sql).iterate())
  const rest = { [Symbol.iterator]: () => ({ next: () => rows.next() }) }
  for (;;) {
    const page = batchOf(rest, (row) => row.filter((value) => typeof value === 'string'))
    if (page.length === 0) return
    yield page.map(itemOf)
  }
}

function* all<T>(items: Iterable<T>): Generator<T> {
  yield* items
}

/**
 * Creates a store and its index from `content`. The file is renamed to `file` once it is complete and verified.
 * @throws StoreFault if the file exists; no partial file is left behind on failure
 */
export async function fillFile(file: string, content: StoreContent): Promise<StoreReport> {
  refuseExisting(file)
  const partial = `${file}.partial`
  const remove = () => {
    for (const end of ['', '-wal', '-shm']) rmSync(partial + end, { force: true })
  }
  remove()
  try {
    await fillEntities(partial, content)
    await fillRest(partial, content)
    return await settle(partial, file)
  } catch (error) {
    remove()
    throw faultFrom(error)
  }
}

/** Writes the content that a replica would copy from its upstream. */
async function fillEntities(file: string, content: StoreContent): Promise<void> {
  const { epoch, number, trimmed, types, values } = content
  const store = openSqliteStore(file, { isDerived: true, deletionsKeptMs: Number.POSITIVE_INFINITY })
  try {
    await setIndexRules(store, rulesOfText(values.find(({ key }) => key === RULES_KEY)?.value))
    const following = await beginToFollow(store)
    for await (const page of content.entities())
      await following.add(
        page.map(({ number, ...entity }) => {
          const { type, id } = entity
          return { type, id, entity, position: positionOf(epoch, number) }
        }),
      )
    await following.commit({
      fromBeginning: true,
      position: positionOf(epoch, number),
      earliest: positionOf(epoch, trimmed),
      versions: new Map(types.map(({ type, number }) => [type, positionOf(epoch, number)])),
    })
  } finally {
    await store.close()
  }
}

/** Writes the content that a replica would not copy, or would store with other timestamps. */
async function fillRest(file: string, content: StoreContent): Promise<void> {
  const db = new DatabaseSync(file)
  const insert = async (into: string, rows: AsyncIterable<readonly SQLInputValue[][]>) => {
    const statement = db.prepare(`INSERT INTO ${into}`)
    for await (const page of rows) for (const row of page) statement.run(...row)
  }
  try {
    db.exec('BEGIN IMMEDIATE; DELETE FROM metadata; DELETE FROM deletions')
    await insert('file_types VALUES (?)', onePage(content.filled.map((type) => [type])))
    await insert(
      'metadata (key, value, version) VALUES (?, ?, ?)',
      onePage(content.values.map(({ key, value, version }) => [key, value, version])),
    )
    await insert(
      'deletions (type, id, number, deleted_at) VALUES (?, ?, ?, ?)',
      mapped(content.deletions(), ({ type, id, number, deletedAt }) => [type, id, number, deletedAt]),
    )
    await insert(
      'owned (type, id, filed) VALUES (?, ?, ?)',
      mapped(content.owned(), ({ type, id, filed }) => [type, id, filed]),
    )
    db.exec('COMMIT')
  } finally {
    db.close()
  }
}

async function* onePage(rows: SQLInputValue[][]): AsyncGenerator<SQLInputValue[][]> {
  yield rows
}

async function* mapped<Item>(
  pages: AsyncIterable<readonly Item[]>,
  rowOf: (item: Item) => SQLInputValue[],
): AsyncGenerator<SQLInputValue[][]> {
  for await (const page of pages) yield page.map(rowOf)
}
