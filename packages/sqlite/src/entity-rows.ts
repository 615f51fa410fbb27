/** Entity table, through which all changes to entities are made. */
import type { DatabaseSync } from 'node:sqlite'
import { type EntityKey, type StoredEntity, unreadable } from '@worldwright/core/store'
import type { Listing, ReadEntity } from '@worldwright/search/entities'
import { checksumOf, readEntityFrom } from './checksum.ts'
import { query } from './row-query.ts'
import { REPLACE, stagedRows } from './staged-rows.ts'

/** Statements on the entity table. All run in the caller's transaction. */
export type EntityRows = ReturnType<typeof entityRows>

type Columns = [revision: string, json: string, checksum: number | null]

/** Prepares the statements on entities. */
export function entityRows(db: DatabaseSync) {
  const one = query<Columns>(db, 'SELECT revision, json, checksum FROM entities WHERE type = ? AND id = ?')
  const some = query<[at: number, ...Columns]>(
    db,
    `SELECT asked.key, revision, entities.json, checksum FROM json_each(?2) asked
    CROSS JOIN entities ON entities.type = ?1 AND entities.id = asked.value`,
  )
  const page = query<[id: string, ...Columns]>(
    db,
    'SELECT id, revision, json, checksum FROM entities WHERE type = ? AND id > ? ORDER BY id LIMIT ?',
  )
  const putRow = db.prepare(
    `INSERT INTO entities (type, id, revision, json, number, checksum) VALUES (?, ?, ?, ?, ?, ?) ${REPLACE}`,
  )
  const remove = db.prepare('DELETE FROM entities WHERE type = ? AND id = ?')
  function put({ type, id, revision, json }: StoredEntity, number: number): void {
    putRow.run(type, id, revision, json, number, checksumOf(type, id, revision, json))
  }

  function get(type: string, id: string): ReadEntity {
    const row = one.get(type, id)
    return row && readEntityFrom(type, id, row[0], row[1], row[2])
  }

  return {
    get,
    /** Returns the entities with these keys, in the same order. One statement per type costs half as much as one per key. */
    under(keys: readonly EntityKey[]): ReadEntity[] {
      const found = new Array<ReadEntity>(keys.length)
      for (const [type, places] of Map.groupBy(keys.keys(), (place) => keys[place]?.type as string)) {
        const ids = places.map((place) => keys[place]?.id as string)
        for (const [at, revision, json, checksum] of some.all(type, JSON.stringify(ids)))
          found[places[at] as number] = readEntityFrom(type, ids[at] as string, revision, json, checksum)
      }
      return found
    },
    /** Returns the entity with a key, its `unreadable` placeholder if it is damaged, or undefined if there is none. */
    standing(type: string, id: string): StoredEntity | undefined {
      const found = get(type, id)
      return found === 'damaged' ? unreadable(type, id) : found
    },
    /** Returns up to `limit` entities with ids after `after`, ascending by id. An empty `after` is before all ids. */
    after(type: string, after: string, limit: number): Listing {
      const entities: StoredEntity[] = []
      const damaged: string[] = []
      for (const [id, revision, json, checksum] of page.all(type, after, limit)) {
        const found = readEntityFrom(type, id, revision, json, checksum)
        if (found === 'damaged') damaged.push(id)
        else entities.push(found)
      }
      return damaged.length === 0 ? { entities } : { entities, damaged }
    },
    /** Stores an entity. `number` is the number of the write that stores it. */
    put,
    delete: (type: string, id: string) => void remove.run(type, id),
    ...stagedRows(db, put),
  }
}
