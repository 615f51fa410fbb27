/** Exports the whole content of a store in PostgreSQL as rows, and imports such rows into an empty store. */

import { StoreFault } from '@worldwright/core/store'
import type { StoreContent } from '@worldwright/sqlite'
import type { QueryResultRow } from 'pg'
import { type Column, rowOf } from './copied-row.ts'
import { Database } from './database.ts'
import { FORMATS, type Formats, prepareStore, refuseFormat } from './format.ts'
import { pages } from './pages.ts'
import { bytes, text } from './rows.ts'
import type { LoadingSession, Session } from './session.ts'

/** Runs `work` on a consistent view of the store while writes are blocked. @throws StoreFault */
export async function withContent<T>(url: string, work: (content: StoreContent) => Promise<T>): Promise<T> {
  const database = new Database(url)
  try {
    return await database.standing(async (session) => work(await contentOf(session)))
  } finally {
    await database.close()
  }
}

async function contentOf(session: Session): Promise<StoreContent> {
  const [[store], types, values] = await Promise.all([
    session.query<Formats & { epoch: string; trimmed: number }>(
      `SELECT ${FORMATS}, epoch, trimmed FROM store`,
    ),
    session.query<TypeRow>('SELECT type, count, number, high, filled FROM types ORDER BY type'),
    session.query<{ key: string; value: string; version: string }>(
      'SELECT key, value, version FROM metadata ORDER BY key COLLATE "C"',
    ),
  ])
  if (store === undefined)
    throw new StoreFault('damaged', 'The store has lost the row that names its history.')
  refuseFormat(store)
  return {
    epoch: store.epoch,
    trimmed: store.trimmed,
    number: Math.max(0, ...types.map(({ high }) => high)),
    types: types
      .filter(({ number }) => number > 0)
      .map(({ type, count, number }) => ({ type: text(type), count, number })),
    filled: types.filter(({ filled }) => filled).map(({ type }) => text(type)),
    values,
    entities: () => keyed(session, 'SELECT type, id, revision, json, number FROM entities ORDER BY type, id'),
    deletions: () =>
      keyed(session, 'SELECT type, id, number, deleted_at AS "deletedAt" FROM deletions ORDER BY type, id'),
    owned: () => keyed(session, 'SELECT type, id, filed FROM owned ORDER BY type, id'),
  }
}

interface TypeRow {
  readonly type: Buffer
  readonly count: number
  readonly number: number
  readonly high: number
  readonly filled: boolean
}

/** Yields pages of rows with decoded keys. The caller must choose an `Item` type that matches the columns. */
async function* keyed<Item>(session: Session, sql: string): AsyncGenerator<Item[]> {
  for await (const page of pages<QueryResultRow & { type: Buffer; id: Buffer }>(session, sql))
    yield page.map((row) => ({ ...row, type: text(row.type), id: text(row.id) })) as Item[]
}

/** Creates a store with this content in one transaction. @throws StoreFault `not_a_store` if a non-empty store exists */
export async function fillDatabase(url: string, content: StoreContent): Promise<void> {
  const database = new Database(url)
  try {
    await prepareStore(database)
    await database.loading(async (session) => {
      // Blocks writes by nodes that have the empty store open.
      await session.query('LOCK TABLE types, rooms, metadata IN EXCLUSIVE MODE')
      await refuseFilled(session, database.address.schema)
      await putContent(session, content)
    })
  } finally {
    await database.close()
  }
}

async function refuseFilled(session: LoadingSession, schema: string): Promise<void> {
  const [row] = await session.query<{ isFilled: boolean }>(
    `SELECT EXISTS (SELECT FROM types) OR EXISTS (SELECT FROM metadata) AS "isFilled"`,
  )
  if (row?.isFilled !== false)
    throw new StoreFault(
      'not_a_store',
      `The schema ${schema} holds a store already. Nothing is ever written over it. Name another one: ?schema=NAME.`,
    )
}

async function putContent(session: LoadingSession, content: StoreContent): Promise<void> {
  const { epoch, number, trimmed, types, values } = content
  const filled = new Set(content.filled)
  const counted = new Map(types.map((row) => [row.type, row]))
  const all = [...new Set([...counted.keys(), ...filled])]
  await put(session, 'types (type, count, number, high, filled)', onePage(all), (type) => {
    const { count, number: last } = counted.get(type) ?? { count: 0, number: 0 }
    // The maximum of `high` becomes the position of the store.
    return [bytes(type), count, last, number, filled.has(type)]
  })
  await put(session, 'metadata (key, value, version)', onePage(values), ({ key, value, version }) => [
    key,
    value,
    version,
  ])
  await put(
    session,
    'entities (type, id, revision, json, created_at, number)',
    content.entities(),
    ({ type, id, revision, json, number }) => [
      bytes(type),
      bytes(id),
      revision,
      json,
      JSON.parse(json).createdAt,
      number,
    ],
  )
  await put(
    session,
    'deletions (type, id, number, deleted_at)',
    content.deletions(),
    ({ type, id, number, deletedAt }) => [bytes(type), bytes(id), number, deletedAt],
  )
  await put(session, 'owned (type, id, filed)', content.owned(), ({ type, id, filed }) => [
    bytes(type),
    bytes(id),
    filed,
  ])
  // Ensures that all later transactions get higher numbers.
  await session.query(
    'UPDATE store SET epoch = $1, trimmed = $2, base = $3 - pg_current_xact_id()::text::bigint',
    [epoch, trimmed, number],
  )
  await session.query('UPDATE rooms SET number = $1', [number])
}

async function put<Item>(
  session: LoadingSession,
  into: string,
  items: AsyncIterable<readonly Item[]>,
  columnsOf: (item: Item) => readonly Column[],
): Promise<void> {
  for await (const page of items)
    await session.copy(into, page.map((item) => rowOf(columnsOf(item))).join(''))
}

async function* onePage<Item>(items: readonly Item[]): AsyncGenerator<readonly Item[]> {
  if (items.length > 0) yield items
}
