/** State of a store apart from its entities: counts, offsets and named values. */
import type { DatabaseSync } from 'node:sqlite'
import type { IndexRules, NamedValue, NamedValues, Position, TypeState } from '@worldwright/core/store'
import { isBeside, positionOf, type Reach, RULES_KEY, rulesOfText } from '@worldwright/core/store'
import { query } from './row-query.ts'

/** Progress of a store's history. */
export interface History extends Reach {
  /** Number of writes that changed named values only. */
  readonly edits: number
  /** Tombstones up to this number may have been removed. */
  readonly trimmed: number
}

/** Statements on the state. Each runs in the caller's transaction. */
export type StoreState = ReturnType<typeof storeState>

/** State of an upstream's history that a replica takes over: its progress, and each type's last write number. */
export interface Advance extends Omit<History, 'edits'> {
  readonly types: ReadonlyMap<string, number>
}

/** Prepares the statements on counts, offsets and named values. */
export function storeState(db: DatabaseSync) {
  const sql = statements(db)

  function history(): History {
    const [epoch = '', number = 0, edits = 0, trimmed = 0, pending = '[]'] = sql.state.get() ?? []
    return { epoch, number, edits, trimmed, pending: pending === '[]' ? [] : JSON.parse(pending) }
  }

  function set({ epoch, number, edits, trimmed, pending }: History): void {
    sql.setState.run(epoch, number, edits, trimmed, JSON.stringify(pending))
  }

  /** Sets the types' write numbers to the upstream's. If the upstream has a different history, removes types it lacks. */
  function takeOver(types: ReadonlyMap<string, number>, isSameHistory: boolean): void {
    for (const [type, number] of types) sql.grow.run(type, 0, number)
    if (!isSameHistory) for (const [type] of sql.all.all()) if (!types.has(type)) sql.removeType.run(type)
  }

  function keep(key: string, value: string | undefined, version: string): void {
    if (value === undefined) sql.unsetValue.run(key)
    else sql.setValue.run(key, value, version)
  }

  return {
    history,
    /** Returns a type's state. A type that never had an entity has count 0 and the version of a store without writes. */
    type(type: string): TypeState {
      const [count, number] = sql.one.get(type) ?? [0, 0]
      return { count, version: positionOf(history().epoch, number) }
    },
    /** Returns every type that has, or ever had, an entity, in ascending order. */
    types(): Map<string, TypeState> {
      const { epoch } = history()
      return new Map(
        sql.all.all().map(([type, count, number]) => [type, { count, version: positionOf(epoch, number) }]),
      )
    },
    version: (): string => versionOf(history()),
    position(): Position {
      const { epoch, number, pending } = history()
      return positionOf(epoch, number, pending)
    },
    value: (key: string): string | undefined => sql.value.get(key)?.[0],
    values(prefix: string): Map<string, NamedValue> {
      const rows = sql.values.all(prefix)
      return new Map(rows.map(([key, value, version]) => [key, { value, version }]))
    },
    /** Returns the rules of the search index. */
    indexRules: (): IndexRules => rulesOfText(sql.value.get(RULES_KEY)?.[0]),
    /**
     * Ends a write: adds `growth` to the counts of types and stores `values`. All changes of the write get the next write
     * number, unless `followed` provides one. A write without changes advances nothing.
     */
    advance(growth: ReadonlyMap<string, number>, values: NamedValues = {}, followed?: Advance): void {
      const all = Object.entries(values)
      for (const [key, value] of all) if (isBeside(key)) keep(key, value, '')
      const named = all.filter(([key]) => !isBeside(key))
      const isSame = named.every(([key, next]) => sql.value.get(key)?.[0] === next)
      if (growth.size === 0 && isSame && !followed) return
      const before = history()
      const moved = growth.size > 0 ? { number: before.number + 1 } : { edits: before.edits + 1 }
      const next = { ...before, ...moved, ...(followed && following(before, followed)) }
      for (const [type, delta] of growth) sql.grow.run(type, delta, next.number)
      if (followed) takeOver(followed.types, followed.epoch === before.epoch)
      const version = growth.size > 0 ? positionOf(next.epoch, next.number) : versionOf(next)
      for (const [key, value] of named) keep(key, value, version)
      set(next)
    },
    /** Records that tombstones up to the number `trimmed` may have been removed. */
    trim: (trimmed: number) => set({ ...history(), trimmed }),
  }
}

/** Returns the history after a takeover. Tombstones that the replica has already removed stay removed. */
function following(before: History, followed: Advance): History {
  const trimmed =
    followed.epoch === before.epoch ? Math.max(before.trimmed, followed.trimmed) : followed.trimmed
  return { ...followed, trimmed, edits: before.edits + 1 }
}

/** Returns the store's version, which changes with every write of entities or named values. */
function versionOf({ epoch, number, edits }: History): string {
  return `${positionOf(epoch, number)}-${edits}`
}

function statements(db: DatabaseSync) {
  return {
    one: query<[number, number]>(db, 'SELECT count, number FROM types WHERE type = ?'),
    all: query<[string, number, number]>(db, 'SELECT type, count, number FROM types ORDER BY type'),
    state: query<[string, number, number, number, string]>(
      db,
      'SELECT epoch, number, edits, trimmed, pending FROM store',
    ),
    value: query<[string]>(db, 'SELECT value FROM metadata WHERE key = ?'),
    values: query<[string, string, string]>(
      db,
      // The upper bound is the prefix followed by a byte that never occurs in UTF-8.
      `SELECT key, value, version FROM metadata WHERE key >= ?1 AND key < CAST(?1 || X'FF' AS TEXT) ORDER BY key`,
    ),
    grow: db.prepare(
      `INSERT INTO types (type, count, number) VALUES (?, ?, ?)
     ON CONFLICT (type) DO UPDATE SET count = count + excluded.count, number = excluded.number`,
    ),
    removeType: db.prepare('DELETE FROM types WHERE type = ?'),
    setState: db.prepare('UPDATE store SET epoch = ?, number = ?, edits = ?, trimmed = ?, pending = ?'),
    setValue: db.prepare('INSERT OR REPLACE INTO metadata (key, value, version) VALUES (?, ?, ?)'),
    unsetValue: db.prepare('DELETE FROM metadata WHERE key = ?'),
  }
}
