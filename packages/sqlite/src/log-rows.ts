/** Change log, derived from each entity's last write number and from the tombstones. */
import type { DatabaseSync } from 'node:sqlite'
import {
  type Change,
  type ChangesOptions,
  damagedEntity,
  type EntityKey,
  type LogRead,
  type Offset,
  offsetText,
  positionOf,
  type Reach,
  type Stretch,
  stretchesAfter,
} from '@worldwright/core/store'
import { readEntityFrom } from './checksum.ts'
import { lazily, query } from './row-query.ts'

/** Number of characters at which a page of changes ends. */
const MAX_CHARACTERS = 4_000_000

/** Maximum number of tombstones removed in one step. */
const TRIMMED = 500

/** Statements on the change log. Each runs in the caller's transaction. */
export interface LogRows {
  /** Returns the changes after an offset, in order, and whether more follow. */
  after(
    reach: Reach,
    offset: Offset,
    options: ChangesOptions,
  ): Pick<LogRead, 'changes' | 'damaged' | 'last' | 'more'>
  /** Records a tombstone. `at` is in milliseconds since 1970. */
  recordDeletion(type: string, id: string, number: number, at: number): void
  forgetDeletion(type: string, id: string): void
  /** Records tombstones for the entities of a type that an import did not stage. Must be called before they are deleted. */
  recordMissing(importNumber: number, type: string, number: number, at: number): void
  /** Removes the tombstones of all entities staged by an import. */
  forgetStaged(importNumber: number): void
  /** Removes some tombstones older than `before`, oldest first. Returns the write number of the last one, if any. */
  trim(before: number): number | undefined
  /** Removes all tombstones. */
  clear(): void
}

type Row = [
  number: number,
  type: string,
  id: string,
  revision: string | null,
  json: string | null,
  checksum: number | null,
  isPut: number,
]

/** Prepares the statements that read and write the log. */
export function logRows(db: DatabaseSync): LogRows {
  const record = db.prepare(
    'INSERT OR REPLACE INTO deletions (type, id, number, deleted_at) VALUES (?, ?, ?, ?)',
  )
  const forget = db.prepare('DELETE FROM deletions WHERE type = ? AND id = ?')
  const recordMissing = lazily(() =>
    db.prepare(
      `INSERT OR REPLACE INTO deletions (type, id, number, deleted_at)
     SELECT type, id, ?3, ?4 FROM entities WHERE type = ?2 AND NOT EXISTS (
       SELECT 1 FROM staged s WHERE s.import = ?1 AND s.type = entities.type AND s.id = entities.id
     )`,
    ),
  )
  const forgetStaged = lazily(() =>
    db.prepare(
      `DELETE FROM deletions WHERE EXISTS (
       SELECT 1 FROM staged s WHERE s.import = ? AND s.type = deletions.type AND s.id = deletions.id AND s.revision <> ''
     )`,
    ),
  )
  const oldest = query<[number, string, string, number]>(
    db,
    `SELECT number, type, id, deleted_at FROM deletions ORDER BY number, type, id LIMIT ${TRIMMED}`,
  )

  return {
    after: changesAfter(db),
    recordDeletion: (type, id, number, at) => void record.run(type, id, number, at),
    forgetDeletion: (type, id) => void forget.run(type, id),
    recordMissing: (importNumber, type, number, at) =>
      void recordMissing().run(importNumber, type, number, at),
    forgetStaged: (importNumber) => void forgetStaged().run(importNumber),
    trim(before) {
      let last: number | undefined
      for (const [number, type, id, at] of oldest.all()) {
        if (at >= before) break
        forget.run(type, id)
        last = number
      }
      return last
    },
    clear: () => db.exec('DELETE FROM deletions'),
  }
}

function changesAfter(db: DatabaseSync): LogRows['after'] {
  const isAfter = '(number, type, id) > (?1, ?2, ?3) AND number <= ?6'
  const isWanted = '(?4 IS NULL OR type IN (SELECT value FROM json_each(?4)))'
  const after = query<Row>(
    db,
    `SELECT number, type, id, revision, json, checksum, 1 FROM entities INDEXED BY entities_by_number WHERE ${isAfter} AND ${isWanted}
     UNION ALL
     SELECT number, type, id, NULL, NULL, NULL, 0 FROM deletions INDEXED BY deletions_by_number WHERE ${isAfter} AND ${isWanted}
     ORDER BY number, type, id LIMIT ?5`,
  )

  function* rows(
    stretches: readonly Stretch[],
    wanted: string | null,
    limit: number,
  ): Generator<[Row, Stretch]> {
    for (const stretch of stretches) {
      const { type, id } = stretch.key ?? { type: '', id: '' }
      for (const row of after.iterate(stretch.from, type, id, wanted, limit, stretch.to)) yield [row, stretch]
    }
  }

  return (reach, from, { types, limit, nameDamaged = false }) => {
    const { epoch } = reach
    const wanted = types === undefined ? null : JSON.stringify(types)
    const found: Change[] = []
    const damaged: EntityKey[] = []
    let last: string | undefined
    let characters = 0
    for (const [row, stretch] of rows(stretchesAfter(from, reach), wanted, limit + 1)) {
      const [number, at, name, revision, json, checksum, isPut] = row
      if (found.length + damaged.length === limit || characters >= MAX_CHARACTERS)
        return { changes: found, damaged, last, more: true }
      characters += json?.length ?? 0
      const offset = offsetText(epoch, { ...stretch, number, key: { type: at, id: name } })
      const entity = isPut ? readEntityFrom(at, name, revision ?? '', json ?? '', checksum) : undefined
      last = offset
      if (entity === 'damaged') {
        if (!nameDamaged) throw damagedEntity({ type: at, id: name })
        damaged.push({ type: at, id: name })
        continue
      }
      found.push({
        type: at,
        id: name,
        ...(entity && { entity }),
        position: positionOf(epoch, number),
        offset,
      })
    }
    return { changes: found, damaged, more: false }
  }
}
