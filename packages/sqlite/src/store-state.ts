/** Counts, offsets and named values: the state of a store without its entities. */
import type { DatabaseSync } from 'node:sqlite'
import type { IndexRules, NamedValue, NamedValues, Position, TypeState } from '@worldwright/core/store'
import { isBeside, positionOf, type Reach, RULES_KEY, rulesOfText } from '@worldwright/core/store'
import { query } from './row-query.ts'

/** Progress of the history of a store. */
export interface History extends Reach {
  /** Number of writes that changed named values only. */
  readonly edits: number
  /** Tombstones up to this number may have been removed. */
  readonly trimmed: number
}

/** Statements over the state, each within the transaction it is called in. */
export type StoreState = ReturnType<typeof storeState>

/** The part of a followed history that a store takes over: its progress, and the last numbers of all types. */
export interface Advance extends Omit<History, 'edits'> {
  readonly types: ReadonlyMap<string, number>
}

/** Prepares the statements over counts, offsets and named values. */
export function storeState(db: DatabaseSync) {
  const sql = statements(db)

  function history(): History {
    const [epoch = '', number = 0, edits = 0, trimmed = 0, pending = '[]'] = sql.state.get() ?? []
    return { epoch, number, edits, trimmed, pending: pending === '[]' ? [] : JSON.parse(pending) }
  }

  function set({ epoch, number, edits, trimmed, pending }: History): void {
    sql.setState.run(epoch, number, edits, trimmed, JSON.stringify(pending))
  }

  /** Gives types the numbers of the followed store; types that another history does not have are removed. */
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
    /** A type that never had an entity has the count 0 and the version of a store without writes. */
    type(type: string): TypeState {
      const [count, number] = sql.one.get(type) ?? [0, 0]
      return { count, version: positionOf(history().epoch, number) }
    },
    /** Returns every type that has, or ever had, an entity; ascending. */
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
    /** Returns the rules that the search index is built by. */
    indexRules: (): IndexRules => rulesOfText(sql.value.get(RULES_KEY)?.[0]),
    /**
     * Ends a write that made types grow by these numbers, and stores its values. Everything it changed gets one number, the
     * next one, unless `followed` gives it. A write that changed nothing advances nothing.
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
    /** Notes that tombstones up to a number have been removed. */
    trim: (trimmed: number) => set({ ...history(), trimmed }),
  }
}

/** Tombstones that a store has removed itself stay removed, even if the followed store still has them. */
function following(before: History, followed: Advance): History {
  const trimmed =
    followed.epoch === before.epoch ? Math.max(before.trimmed, followed.trimmed) : followed.trimmed
  return { ...followed, trimmed, edits: before.edits + 1 }
}

/** Returns the version, which changes with every write, of entities or of metadata. */
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
      // The upper bound is the prefix and a byte that UTF-8 does not have.
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
