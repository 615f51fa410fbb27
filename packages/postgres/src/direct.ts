/** Implements a store in PostgreSQL without a local replica. Every read queries the database. */

import {
  abortable,
  type Changes,
  type ChangesOptions,
  DELETIONS_KEPT_MS,
  type Found,
  type ListOptions,
  type Page,
  PositionWatch,
  positionOf,
  type Query,
  type Store,
  type StoredEntity,
  StoreFault,
  type TypeState,
} from '@worldwright/core/store'
import { isPrecise } from '@worldwright/search'
import { everything, partsOf } from '@worldwright/search/entities'
import { Database } from './database.ts'
import { openDatabaseSnapshot } from './database-snapshot.ts'
import type { DatabaseState } from './database-state.ts'
import { Follower } from './follower.ts'
import { prepareStore } from './format.ts'
import { readLog } from './log.ts'
import type { NodeOptions } from './node.ts'
import { positionIn, ReachView } from './reach-view.ts'
import { bytes, text } from './rows.ts'
import type { Prepared, Session } from './session.ts'
import { valuesIn, writesTo } from './writes-to.ts'

/** Options for a store without a local replica. */
export type DirectOptions = Pick<NodeOptions, 'now' | 'deletionsKeptMs'>

/**
 * Opens the store that a URL names, creating it if missing. It needs no disk and has no index: `find` lists entities but
 * throws `unsupported` for queries that need an index. Reads fail while the database is unreachable.
 * @throws StoreFault `unreachable`, `not_a_store`, `newer_format`
 */
export async function openDirect(
  url: string,
  { now = () => new Date(), deletionsKeptMs = DELETIONS_KEPT_MS }: DirectOptions = {},
): Promise<Store> {
  const database = new Database(url)
  const watch = new PositionWatch(async () => positionIn(await view.current()))
  const view = new ReachView(database)
  const follower = new Follower(database, view, {
    follows: () => true,
    looked: () => void watch.look(),
    now,
    deletionsKeptMs,
  })
  try {
    await prepareStore(database)
    await follower.look()
  } catch (error) {
    await database.close()
    throw error
  }
  follower.start()
  const read = new DatabaseReader(database, view)
  const applied = async () => follower.tell()
  return abortable<Store>({
    get: (type, id) => read.get(type, id),
    list: (type, options) => read.list(type, options),
    find: (query) => read.find(query),
    types: async () => typesIn(await view.current()),
    version: async () => versionOf(await view.current()),
    changes: (options) => read.changes(options),
    watch: (signal) => watch.positions(signal),
    values: (prefix) => valuesIn(database, prefix),
    snapshot: () => openDatabaseSnapshot(database),
    ...writesTo(database, now, applied),
    async close() {
      watch.close()
      await follower.stop()
      await database.close()
    },
  })
}

/** Reads from the database, in one snapshot per call. */
class DatabaseReader {
  readonly #database: Database
  readonly #view: ReachView

  constructor(database: Database, view: ReachView) {
    this.#database = database
    this.#view = view
  }

  async get(type: string, id: string): Promise<StoredEntity | undefined> {
    const [row] = await this.#database.ask<{ revision: string; json: string }>(GET, [bytes(type), bytes(id)])
    return row && { type, id, ...row }
  }

  async list(type: string, { after, limit }: ListOptions): Promise<Page> {
    const values = [bytes(type), after === undefined ? null : bytes(after), limit]
    const rows = await this.#database.ask<ListRow>(LIST, values)
    const [first] = rows
    if (first === undefined)
      throw new StoreFault('damaged', 'The store has lost the row that names its history.')
    return {
      entities: rows.flatMap((row) => storedIn(type, row)),
      total: first.count,
      version: positionOf(first.epoch, first.number),
    }
  }

  async find(query: Query): Promise<Found> {
    if ((query.text ?? '').trim() !== '' || isPrecise(query))
      throw new StoreFault(
        'unsupported',
        'This machine keeps no replica of the store, and no index of it: what the search cluster cannot answer is not answered.',
      )
    query.signal?.throwIfAborted()
    return this.#view.reading(async (session, state) => {
      const types = typesIn(state)
      const listings = partsOf(types, query).map(async ({ type, limit }) => ({
        entities: await firstOf(session, type, limit),
      }))
      return everything(types, query, await Promise.all(listings))
    })
  }

  changes(options: ChangesOptions): Promise<Changes> {
    return this.#view.reading((session, state) => readLog(session, state, typesIn(state), options))
  }
}

function typesIn({ reach: { epoch }, types }: DatabaseState): Map<string, TypeState> {
  return new Map(
    [...types].map(([type, { count, number }]) => [type, { count, version: positionOf(epoch, number) }]),
  )
}

/** Returns the version of a state. It depends on the metadata, but not on other named values, such as tokens. */
function versionOf(state: DatabaseState): string {
  return `${positionIn(state)}:${state.rooms.metadata}`
}

interface EntityRow {
  readonly id: Buffer | null
  readonly revision: string
  readonly json: string
}

interface ListRow extends EntityRow {
  readonly epoch: string
  readonly count: number
  readonly number: number
}

function storedIn(type: string, { id, revision, json }: EntityRow): StoredEntity[] {
  return id === null ? [] : [{ type, id: text(id), revision, json }]
}

async function firstOf(session: Session, type: string, limit: number): Promise<StoredEntity[]> {
  const rows = await session.query<ListRow>(LIST, [bytes(type), null, limit])
  return rows.flatMap((row) => storedIn(type, row))
}

const GET: Prepared = { name: 'get', text: 'SELECT revision, json FROM entities WHERE type = $1 AND id = $2' }

/** Selects entities and counts in one statement, so that both see the same snapshot. Returns at least one row. */
const LIST: Prepared = {
  name: 'list',
  text: `SELECT s.epoch, coalesce(t.count, 0) AS count, coalesce(t.number, 0) AS number, e.id, e.revision, e.json
    FROM store s LEFT JOIN types t ON t.type = $1 LEFT JOIN LATERAL (
      SELECT id, revision, json FROM entities WHERE type = $1 AND id > coalesce($2::bytea, '') ORDER BY id LIMIT $3
    ) e ON true ORDER BY e.id`,
}
